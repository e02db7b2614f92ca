// Our crow: a silhouette drawn for this project, on a 100 by 100 grid; the eye and wing are cut out.
export const CROW =
  "M5 41L22 31C25 20 36 15 45 20C52 24 53 32 58 38C68 46 80 58 96 84L77 77C71 80 64 81 58 80L60 91H68V95H50V91H55" +
  "L52 79C37 75 27 63 27 49C27 46 25 44 22 43ZM36 27A3.2 3.2 0 1 0 36.01 27ZM43 49C55 51 66 59 74 70" +
  "C60 70 47 64 43 49Z";

// Which lessons there are, in the order in which they are offered, with about how many minutes each
// takes. A test compares them with the lessons themselves.

export const LESSONS = [
  { group: "begin", lessons: [["first", 3]] },
  { group: "skills", lessons: [["bid", 2], ["discard", 2], ["trumps", 2], ["feed", 2], ["save", 2], ["bird", 2], ["last", 2], ["partner", 3]] },
  { group: "games", lessons: [["norook", 2], ["dummy", 2], ["ones", 2], ["low", 2], ["alone", 2], ["two", 2]] },
];

/** The ids, one after the other. */
export const ORDER = LESSONS.flatMap(({ lessons }) => lessons.map(([id]) => id));

from rookery.game import Deal as Deal
from rookery.game import Hand as Hand
from rookery.game import Match as Match

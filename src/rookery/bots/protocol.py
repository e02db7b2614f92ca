"""The messages of `rookery-bot/1`, for their schema: ``rookery schema bot-messages``.

Whoever reads them passes over fields that it does not know. `rookery.bots.external` writes them to
a program in a match, `rookery.server.bots.program` to one at a table.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

from rookery.view import RulesSeen, View


class Hello(BaseModel):
    """You sit down."""

    type: Literal["hello"]
    protocol: Literal[1]
    rules: RulesSeen
    seat: int


class HandMessage(BaseModel):
    """A hand as the seat sees it: a new one, or, at a table, after an action was taken back."""

    type: Literal["hand"]
    view: View


class Acted(BaseModel):
    """What somebody did, the bot included."""

    type: Literal["acted"]
    seat: int = Field(description="The place that acted: for a dummy's card the dummy's seat.")
    verb: str
    text: str | None = Field(
        description="The action as a record writes it; null for cards that others put face down."
    )


class Event(BaseModel):
    """Somebody acted."""

    type: Literal["event"]
    event: Acted


class Discards(BaseModel):
    """Cards to put into the nest, all in one action."""

    discard: int = Field(description="How many.")
    cards: list[str] = Field(alias="from", description="The cards to choose from.")
    must: list[str] = Field(description="Those that have to be among them.")
    swap: list[int] = Field(
        [], description="Where a part of the nest is exchanged: how many of its cards may change."
    )


class Partners(BaseModel):
    """How many partner cards may be called, and which."""

    min: int
    max: int
    cards: list[str] = Field(alias="from", description="The cards to choose from.")


class Calls(BaseModel):
    """Partner cards to call, all in one action."""

    call: Partners


class Act(BaseModel):
    """Your turn."""

    type: Literal["act"]
    id: int = Field(description="To be repeated in the answer.")
    deadline_ms: int = Field(description="How long the answer may take.")
    view: View
    legal: list[str] | Discards | Calls = Field(
        description="What may be answered, as in the view: actions without the seat, or cards."
    )


class Refused(BaseModel):
    """An answer did not count; at a table alone. The question is asked again, with another id."""

    type: Literal["refused"]
    code: str
    reason: str


class Result(BaseModel):
    """The hand is over."""

    type: Literal["result"]
    score: list[int] | None = Field(description="Of each seat in this hand; null where redealt.")


class Bye(BaseModel):
    """The end."""

    type: Literal["bye"]
    code: int = Field(0, description="The code with which a table closes; in a match left out.")
    reason: str = Field("", description="Why; in a match left out.")


Message: TypeAlias = Annotated[
    Hello | HandMessage | Event | Act | Refused | Result | Bye, Field(discriminator="type")
]
"""What a bot is sent, one a line or frame."""


class Answer(BaseModel):
    """What a bot sends: one for each message ``act``."""

    id: int = Field(description="That of the message which is answered.")
    action: str = Field(
        description="As a record writes it, without the seat: `play R5`, `discard R5 G6 Y7 B8 B9`."
    )

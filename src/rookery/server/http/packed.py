"""Messages of a socket, deflated each by itself: `permessage-deflate` (RFC 7692) for little memory.

Whoever asks for it in the handshake, as every browser does, keeps what it was sent, so that a later
message may refer to it. For that zlib keeps 12 to 260 KiB for each socket. Here a socket keeps the
end of what it was sent last, and each message is deflated anew with that as its dictionary: most of
a change of a table is as in the change before.

What clients deflate is inflated by the library, which ends a message that comes to more than a
message may have. For them nothing is kept from one message to the next.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Final

from websockets.exceptions import NegotiationError
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Frame, Opcode
from websockets.typing import ExtensionParameter

SHORT: Final = 96  # bytes; a message that has fewer, such as an acknowledgement, is sent as it is
KEPT: Final = 512  # bytes of what was sent last
WINDOW: Final = 11  # bits: how far back a message may refer, and what zlib takes meanwhile
LEVEL: Final = 1  # a higher one saves a tenth, and costs a fifth more time
MEMORY: Final = 3  # zlib's `memLevel`
STRATEGY: Final = zlib.Z_FIXED  # a message is too short for a code of its own
HEARD: Final = 9  # bits of the window in which clients may deflate, where they let us choose
# Only what the game says is deflated, and a change only where no name or title is in it. What
# somebody writes would be deflated together with the cards that somebody else holds: from its
# length, whoever watches the line could tell how alike they are.
GAME: Final = tuple(
    b'{"type":"%s"' % kind for kind in (b"change", b"hint", b"hand", b"act", b"event", b"result")
)
# The fields in which such texts are; inside of a text there is no quotation mark but after a "\\".
WRITTEN: Final = (b'"name":', b'"title":', b'"seats":', b'"names_at_table":')
_WRITTEN: Final = re.compile(b"|".join(WRITTEN))
_END: Final = len(b"\0\0\xff\xff")  # of a flush; the other side adds it again
_TEXT: Final = 0x81  # how the frame of a whole text begins
_DEFLATED: Final = 0x40  # ... with this where it is deflated


class Packed(PerMessageDeflate):
    """What one socket is sent, and sends, deflated.

    The base's encoder is not made, and nothing of what it keeps: its `decode` is used alone.
    """

    remote_no_context_takeover = True
    decode_cont_data = False

    def __init__(self, agreed: PerMessageDeflate) -> None:
        self.remote_max_window_bits = agreed.remote_max_window_bits
        self._forgets = agreed.local_no_context_takeover
        self._last = b""

    def encode(self, frame: Frame) -> Frame:
        """Return a frame as it is sent: a whole message of some length deflated, others as is."""
        if frame.opcode is not Opcode.TEXT or not frame.fin:
            return frame
        packed = self.deflated(bytes(frame.data))
        return frame if packed is None else Frame(frame.opcode, packed, rsv1=True)

    def deflated(self, data: bytes) -> bytes | None:
        """Return a whole message deflated; None where it is sent as it is."""
        if len(data) < SHORT or not data.startswith(GAME):
            return None
        if _WRITTEN.search(data):
            return None
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -WINDOW, MEMORY, STRATEGY, self._last)
        packed = packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)
        if not self._forgets:
            # Of a longer message its end is all that is kept.
            self._last = data[-KEPT:] if len(data) >= KEPT else (self._last + data)[-KEPT:]
        return packed[:-_END]

    def framed(self, message: bytes) -> bytes:
        """Return a text as it is sent, with the head of its frame.

        That is what `Frame.serialize` makes of it; much of what is sent comes this way.
        """
        packed = self.deflated(message)
        first, data = (_TEXT, message) if packed is None else (_TEXT | _DEFLATED, packed)
        size = len(data)
        if size < 126:
            return bytes((first, size)) + data
        wide = size > 0xFFFF
        return bytes((first, 126 + wide)) + size.to_bytes(8 if wide else 2, "big") + data


class Packing(ServerPerMessageDeflateFactory):
    """Agrees on `Packed` with whoever offers `permessage-deflate`."""

    def __init__(self) -> None:
        """Let nobody refer to earlier messages of theirs."""
        super().__init__(
            client_no_context_takeover=True,
            client_max_window_bits=HEARD,
            compress_settings={"memLevel": 1},  # of the base's encoder, which is not used
        )

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """Return what is answered to an offer, and the extension; see the base.

        Raises:
            NegotiationError: the offer is none, or the other side keeps too little.
        """
        answer, agreed = super().process_request_params(params, accepted_extensions)
        if agreed.local_max_window_bits < WINDOW:
            raise NegotiationError(f"expected server_max_window_bits of {WINDOW} or more")
        return answer, Packed(agreed)


PACKING: Final = Packing()

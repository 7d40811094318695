"""Every error a user may meet. The docstring is the default sentence; `status` is its HTTP status."""

from typing import ClassVar


def readable(text: str, kept: str = "") -> str:
    """A stranger's text as it may stand in a sentence: NUL, terminal escapes, half surrogates and the like as ASCII.

    PostgreSQL refuses the first, terminals obey the second, UTF-8 lacks the third. `kept` characters stay.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter in kept else ascii(letter)[1:-1] for letter in text)


class DynaboardError(Exception):
    """Something went wrong."""

    status: ClassVar[int] = 500

    def __init__(self, detail: str | None = None) -> None:
        self.detail = detail or (self.__doc__ or "").strip()
        super().__init__(self.detail)


class Invalid(DynaboardError):
    """The request is not valid."""

    status = 422


class Unauthorized(DynaboardError):
    """An API key is needed: run `dynaboard login`, or send it as `Authorization: Bearer KEY`."""

    status = 401


class Forbidden(DynaboardError):
    """Your API key's role does not allow this."""

    status = 403


class NotFound(DynaboardError):
    """There is no such thing, or it is not yours to see."""

    status = 404


class Conflict(DynaboardError):
    """The state has changed meanwhile; look again and retry."""

    status = 409


class TooLarge(DynaboardError):
    """The upload is larger than this installation allows."""

    status = 413


class QuotaExceeded(DynaboardError):
    """Today's quota of submissions for this task is used up."""

    status = 429


class TooManyRequests(QuotaExceeded):
    """Too many requests in too short a time; wait a little and go on."""

    def __init__(self, detail: str | None = None, retry_after_s: int = 1) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


class Unavailable(DynaboardError):
    """A part of the platform does not answer just now; nothing is lost, try again in a minute."""

    status = 503


class ModelFailure(DynaboardError):
    """The submitted model broke its contract."""

    status = 422


class PlatformFailure(DynaboardError):
    """The platform failed, not the model; the evaluation will be retried."""

    status = 500

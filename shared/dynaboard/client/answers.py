"""From an HTTP answer to a value or to one of `dynaboard.errors`, with the server's own sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from pydantic import ValidationError

from dynaboard import errors
from dynaboard.schemas import ErrorBody

KINDS: dict[str, type[errors.DynaboardError]] = {
    kind.__name__: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.DynaboardError)
}
BY_STATUS = {
    401: errors.Unauthorized,
    403: errors.Forbidden,
    404: errors.NotFound,
    409: errors.Conflict,
    413: errors.TooLarge,
    429: errors.QuotaExceeded,
    502: errors.Unavailable,
    503: errors.Unavailable,
    504: errors.Unavailable,
}


def checked(response: httpx.Response) -> httpx.Response:
    """The response, if it is a success. Raises the error class that the server names, with its sentence."""
    if response.is_success:
        return response
    response.read()
    raise _error(response)


def _error(response: httpx.Response) -> errors.DynaboardError:
    try:
        body = ErrorBody.model_validate_json(response.content)
    except ValidationError:
        return _stranger(response)
    return KINDS.get(body.error, BY_STATUS.get(response.status_code, errors.Invalid))(body.detail)


def _stranger(response: httpx.Response) -> errors.DynaboardError:
    """An error that is not ours: a proxy in between, or another program at this address."""
    kind = BY_STATUS.get(response.status_code, errors.PlatformFailure)
    host = response.request.url.copy_with(path="/", query=None)
    return kind(f"{host} answered {response.status_code} {response.reason_phrase}; is a Dynaboard at this address?")


@contextmanager
def reaching(url: str) -> Iterator[None]:
    """Turns every way of getting no answer into Unavailable, and one of the wrong shape into PlatformFailure."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise errors.Unavailable(f"{url} did not answer in time; nothing is lost, try again.") from error
    except httpx.ConnectError as error:
        raise errors.Unavailable(
            f"No Dynaboard answers at {url}; start one, or name the right address with `dynaboard login --url URL`."
        ) from error
    except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        raise errors.Invalid(f"{url} is not an address; write for example http://127.0.0.1:8000.") from error
    except httpx.TransportError as error:
        raise errors.Unavailable(f"The connection to {url} broke ({error}); try again.") from error
    except ValidationError as error:
        raise errors.PlatformFailure(
            f"{url} answered in a form this client does not know; do both have the same version? ({error.title})"
        ) from error

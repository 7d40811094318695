"""Errors as the public sees them: always {"error", "detail"}, whoever found them."""

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import compile_path

from dynaboard.app import error_body
from dynaboard.errors import TooManyRequests, Unauthorized
from services.gateway.json_limit import MOST_BYTES

# What the framework itself refuses, by status.
REFUSED = {
    400: ("Invalid", "The request cannot be read; see /api/v1/docs for what is expected."),
    404: ("NotFound", "There is nothing at this address; /api/v1/docs shows what there is."),
    405: ("MethodNotAllowed", "This address does not take this method; /api/v1/docs shows which it takes."),
    413: ("TooLarge", f"The request's JSON may have {MOST_BYTES // 1024**2} MiB at most."),
}


def answer_errors(app: FastAPI) -> None:
    """Add what service_app does not have: headers that HTTP asks for, and the framework's own refusals."""
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(Unauthorized, _unauthorized)
    app.add_exception_handler(TooManyRequests, _too_many)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _broken)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    name, detail = REFUSED.get(error.status_code, ("Invalid", str(error.detail)))
    headers = dict(error.headers or {})
    if error.status_code == 405 and (methods := _methods(request)):
        headers = {"allow": methods}
    return JSONResponse(error_body(name, detail), error.status_code, headers)


def _methods(request: Request) -> str:
    """All methods of this address; the framework names those of the first route it tried."""
    app: FastAPI = request.app
    described = app.openapi()["paths"].items()
    here = [methods for path, methods in described if compile_path(path)[0].match(request.url.path)]
    return ", ".join(sorted({method.upper() for methods in here for method in methods}))


async def _unauthorized(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Unauthorized)
    return JSONResponse(error_body("Unauthorized", error.detail), error.status, {"www-authenticate": "Bearer"})


async def _too_many(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, TooManyRequests)
    headers = {"retry-after": str(error.retry_after_s)}
    return JSONResponse(error_body("TooManyRequests", error.detail), error.status, headers)


async def _gone(_: Request, __: Exception) -> Response:
    # Nobody reads this; 499 is what nginx writes into its log for a client that hung up.
    return Response(status_code=499)


async def _broken(_: Request, __: Exception) -> JSONResponse:
    # The server logs the traceback under the same request id.
    return JSONResponse(error_body("PlatformFailure", "The gateway failed on this request; tell the operator."), 500)

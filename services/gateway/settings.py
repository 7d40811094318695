"""The settings of the gateway."""

from dynaboard.settings import Settings


class GatewaySettings(Settings):
    """Where the other services are, and the first administrator's key."""

    port: int = 8000
    upload_url: str = "http://127.0.0.1:8001"
    evaluator_url: str = "http://127.0.0.1:8002"
    scoring_url: str = "http://127.0.0.1:8003"
    # The API key of the user `admin`, made at start; empty: no such user is made.
    admin_key: str = ""
    # What Prometheus must send to read /metrics here, the public door; empty: nobody may.
    telemetry_token: str = ""
    # Requests a minute and user (or address, without an API key), per gateway process; so many may come at once.
    requests_per_minute: int = 1_200
    # Of these, questions to models: each may start a model server.
    predictions_per_minute: int = 60
    # Of these, analyses of a leaderboard that take long to compute: pairs, influence, weight map and the like.
    analyses_per_minute: int = 120
    # Leaderboards watched at once by one user (or address), and by all; each stream holds a connection open.
    streams_per_caller: int = 20
    streams: int = 200

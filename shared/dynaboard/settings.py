"""The settings every service shares: a value, made at the edge and passed in. Nothing else reads the environment."""

from pathlib import Path

from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Read from the environment with the prefix DYNABOARD_, for example DYNABOARD_DATABASE_URL."""

    model_config = SettingsConfigDict(env_prefix="DYNABOARD_", frozen=True, extra="ignore")

    # Where the embedded PostgreSQL and S3 keep their data, and secrets made on first start.
    data_dir: Path = Path(".dynaboard")
    # postgresql://user:password@host:port/name; empty: the embedded PostgreSQL.
    database_url: str = ""
    # Address of an S3 server; empty: the embedded one.
    s3_url: str = ""
    s3_access_key: str = ""
    s3_secret_key: str = ""
    s3_bucket: str = "dynaboard"
    s3_region: str = "us-east-1"
    # What the services use to know one another; made on first start when embedded.
    internal_token: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    # Seconds after which a silent worker counts as dead and its jobs are given to another.
    heartbeat_timeout_s: float = 15.0
    # Seconds between the word that this process is to end (it is not ready from then on) and the end of its listening:
    # as long as the load balancer needs to notice. 0: there is none.
    drain_s: float = 0.0
    # Seconds that requests and jobs under way have then to finish.
    finish_s: float = 5.0
    # A job that failed by the platform's fault is tried this often in all.
    job_attempts: int = 5
    log_level: str = "INFO"

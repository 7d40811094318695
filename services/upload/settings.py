"""The settings of upload."""

from dynaboard.settings import Settings


class UploadSettings(Settings):
    """How large an archive may be, and how many a user may hand in."""

    port: int = 8001
    max_archive_bytes: int = 64 * 1024**3
    # What an archive may unpack to, and by how much it may expand.
    max_unpacked_bytes: int = 128 * 1024**3
    max_compression_ratio: float = 200.0
    max_archive_entries: int = 20_000
    part_bytes: int = 16 * 1024**2
    # Parts held in memory at once, over all uploads.
    parts_in_flight: int = 4
    # Seconds within which a part must arrive; a slower client holds up the others.
    part_seconds: float = 300.0
    # An upload that nobody completes is removed after this many hours.
    abandoned_hours: float = 72.0
    # Submissions per user, task and day (UTC); what fails by the platform's fault or never ran does not count.
    daily_quota: int = 20

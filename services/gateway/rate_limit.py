"""How often somebody may ask: the generic cell rate algorithm (GCRA), in the memory of one process. Pure."""

# Callers remembered before those who owe nothing are forgotten.
REMEMBERED = 10_000


class RateLimit:
    """So many requests a minute and caller, at once or spread; then one every 60 / per_minute s."""

    def __init__(self, per_minute: int) -> None:
        self.interval_s = 60.0 / per_minute
        self.burst_s = 60.0
        # Caller -> the time at which all its requests so far would be over, were they spread evenly.
        self._busy_until: dict[str, float] = {}
        self._sweep_at = REMEMBERED

    def hit(self, who: str, now: float) -> float:
        """Count a request at `now` (seconds of a monotonic clock). 0.0: it may pass; else the seconds to wait."""
        self._forget(now)
        busy_until = max(self._busy_until.get(who, now), now) + self.interval_s
        wait = busy_until - now - self.burst_s
        if wait > 1e-9:
            return wait
        self._busy_until[who] = busy_until
        return 0.0

    def _forget(self, now: float) -> None:
        """Keep the memory in proportion to the callers of the last minute, at a constant cost per request."""
        if len(self._busy_until) >= self._sweep_at:
            self._busy_until = {who: until for who, until in self._busy_until.items() if until > now}
            self._sweep_at = max(REMEMBERED, 2 * len(self._busy_until))

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { View } from "./ranked";

/** Breaks shorter than this are nobody's business. */
const LONG_MS = 10_000;
const AGAIN_MS = 3_000;
const NEW_FOR_MS = 30_000;

/** Fetches the board again when the platform says that it changed. Returns whether it has not been heard for long. */
export function useLiveBoard(task: string, isLive: boolean): boolean {
  const queries = useQueryClient();
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (!isLive) return;
    let first = true;
    let timer: number | undefined;
    let again: number | undefined;
    let events: EventSource;
    const listen = () => {
      events = new EventSource(`/api/v1/leaderboards/${encodeURIComponent(task)}/events`);
      events.addEventListener("board", () => {
        // The first event only says that the stream is there; after a break it may say that something was missed.
        if (!first) void queries.invalidateQueries({ queryKey: ["board"] });
        first = false;
      });
      events.onopen = () => {
        window.clearTimeout(timer);
        timer = undefined;
        setLost(false);
      };
      events.onerror = () => {
        timer ??= window.setTimeout(() => setLost(true), LONG_MS);
        // A browser connects again by itself, but not after an error page, such as a proxy's while the gateway starts.
        if (events.readyState === EventSource.CLOSED) again = window.setTimeout(listen, AGAIN_MS);
      };
    };
    listen();
    return () => {
      window.clearTimeout(timer);
      window.clearTimeout(again);
      events.close();
    };
  }, [task, isLive, queries]);
  return lost;
}

/** The models that came while the board was looked at, for half a minute each. */
export function useNewcomers(view: View | undefined): ReadonlySet<string> {
  const known = useRef<ReadonlySet<string> | null>(null);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const subject = view ? `${view.task} ${view.tag ?? ""} ${view.hardware_profile ?? ""}` : "";
  useEffect(() => {
    known.current = null;
  }, [subject]);
  useEffect(() => {
    if (!view) return;
    const now = new Set(view.rows.map((row) => row.model_id));
    const before = known.current;
    known.current = now;
    const came = before ? [...now].filter((id) => !before.has(id)) : [];
    if (!came.length) return;

    setFresh((others) => new Set([...others, ...came]));
    window.setTimeout(() => setFresh((others) => new Set([...others].filter((id) => !came.includes(id)))), NEW_FOR_MS);
  }, [view]);
  return fresh;
}

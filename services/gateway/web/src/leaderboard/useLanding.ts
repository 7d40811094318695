import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { View } from "./ranked";

/** Breaks shorter than this are nobody's business. */
const LONG_MS = 10_000;
const NEW_FOR_MS = 30_000;

/** Fetches the board again when the platform says that it changed. Returns whether it has not been heard for long. */
export function useLiveBoard(task: string, isLive: boolean): boolean {
  const queries = useQueryClient();
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (!isLive) return;
    let first = true;
    let timer: number | undefined;
    const events = new EventSource(`/api/v1/leaderboards/${encodeURIComponent(task)}/events`);
    events.addEventListener("board", () => {
      // The first event only says that the stream is there; after a break it may say that something was missed.
      if (!first) void queries.invalidateQueries({ queryKey: ["board"] });
      first = false;
    });
    events.onopen = () => {
      window.clearTimeout(timer);
      setLost(false);
    };
    events.onerror = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => setLost(true), LONG_MS);
    };
    return () => {
      window.clearTimeout(timer);
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

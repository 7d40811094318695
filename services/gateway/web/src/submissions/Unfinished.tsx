import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { answered, api } from "../api/client";
import { places } from "../app/places";
import { Notice } from "../components/Notice";
import { bytes, moment } from "../format/numbers";
import { begun } from "./unfinished";

/** Uploads of one's own that stopped on their way: which file to choose again. */
export function Unfinished() {
  const mine = useQuery({
    queryKey: ["submissions", "unfinished"],
    queryFn: () => answered(api.GET("/api/v1/submissions", { params: { query: { limit: 50 } } })),
  });
  const known = new Map(begun().map((one) => [one.submission, one]));
  const waiting = (mine.data ?? []).filter(({ id, status }) => status === "submitting" && known.has(id));
  if (waiting.length === 0) return null;
  return (
    <Notice kind="caution">
      <p>Not all of these has arrived. Choose the same file again, and it goes on where it stopped.</p>
      <ul>
        {waiting.map(({ id, name, size, created_at }) => (
          <li key={id}>
            <Link href={places.submission(id)}>{name}</Link>: {known.get(id)?.file}, {bytes(size)}, begun{" "}
            {moment(created_at)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

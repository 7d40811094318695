import { Link } from "wouter";
import { Page } from "../components/Page";
import { places } from "./places";

export function NotFoundPage() {
  return (
    <Page
      title="Nothing is here"
      lead="The address leads to no page. It may have been mistyped, or what it showed is not public."
    >
      <p>
        <Link href={places.home()}>All leaderboards</Link>
      </p>
    </Page>
  );
}

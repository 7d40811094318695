import { Link } from "wouter";
import { places } from "../app/places";

/** What somebody without a key is told. */
export function SignInFirst({ what }: { readonly what: string }) {
  return (
    <p>
      <Link href={places.account()}>Sign in</Link> to {what}; any account will do.
    </p>
  );
}

import { useQuery } from "@tanstack/react-query";
import { answered, api } from "../api/client";
import { useKey } from "../api/session";
import { Copy } from "../components/Copy";
import { Loaded } from "../components/Loaded";
import styles from "./leaderboard.module.css";

/** How to cite a frozen board, as a sentence and as BibTeX. */
export function Citations({ snapshot }: { readonly snapshot: string }) {
  return (
    <div className={`stack ${styles.citations}`}>
      <CitationText snapshot={snapshot} format="text" title="As text" />
      <CitationText snapshot={snapshot} format="bibtex" title="As BibTeX" />
    </div>
  );
}

interface Props {
  readonly snapshot: string;
  readonly format: "text" | "bibtex";
  readonly title: string;
}

function CitationText({ snapshot, format, title }: Props) {
  const key = useKey();
  const text = useQuery({
    queryKey: ["citation", snapshot, format, key],
    queryFn: async () => {
      const params = { path: { snapshot_id: snapshot }, query: { format } };
      return (await answered<unknown>(
        api.GET("/api/v1/snapshots/{snapshot_id}/citation", { params, parseAs: "text" }),
      )) as string;
    },
    staleTime: Infinity,
  });
  return (
    <section aria-label={title} className={styles.citation}>
      <header>
        <h3>{title}</h3>
        {text.data ? <Copy text={text.data} what={`the citation ${title.toLowerCase()}`} look="quiet" /> : null}
      </header>
      <Loaded query={text} height="6rem">
        {(written) => <pre tabIndex={0}>{written.trim()}</pre>}
      </Loaded>
    </section>
  );
}

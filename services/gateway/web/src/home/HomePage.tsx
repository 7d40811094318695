import { Link } from "wouter";
import { useTasks } from "../api/tasks";
import { places } from "../app/places";
import { Loaded } from "../components/Loaded";
import { Page } from "../components/Page";

/** All tasks, each with the top of its board. */
export function HomePage() {
  const tasks = useTasks();
  return (
    <Page
      title="Models that were run, not reported"
      lead="Hand in a model; it is run on every dataset of its task, on one kind of machine, and ranked under the weights that matter to you."
    >
      <Loaded query={tasks}>
        {(known) => (
          <ul>
            {known.map(({ name, title }) => (
              <li key={name}>
                <Link href={places.board(name)}>{title}</Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  );
}

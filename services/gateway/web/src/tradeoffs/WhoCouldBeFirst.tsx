import { useQuery, keepPreviousData } from "@tanstack/react-query";
import { Link } from "wouter";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";
import { places } from "../app/places";
import { Button } from "../components/Button";
import { Loaded } from "../components/Loaded";
import { Part } from "../components/Page";
import { percent } from "../format/numbers";
import { boardQuery, type Choices, type Weights } from "../leaderboard/choices";
import { sliders, weightsAt } from "./plane";
import { Axis } from "./ScatterPart";
import styles from "./tradeoffs.module.css";
import { WeightMap } from "./WeightMap";

type Map = Shapes["WeightMapView"];
type Model = Map["models"][number];

interface Props {
  readonly task: string;
  readonly choices: Choices;
  /** Axes of the map; empty: the server's choice. */
  readonly axes: readonly [string, string];
  readonly onAxes: (axes: { map_x?: string; map_y?: string }) => void;
  readonly onWeights: (weights: Weights) => void;
}

/** For which weights who is first: as a map of two, and for each model in words. */
export function WhoCouldBeFirst({ task, choices, axes, onAxes, onWeights }: Props) {
  const key = useKey();
  const query = boardQuery(choices);
  if (axes[0]) query.set("x", axes[0]);
  if (axes[1]) query.set("y", axes[1]);
  const map = useQuery({
    queryKey: ["weight-map", task, key, query.toString()],
    queryFn: async () => {
      const params = { path: { task: task as "sentiment" }, query: Object.fromEntries(query) as Record<string, never> };
      return (await answered<unknown>(api.GET("/api/v1/leaderboards/{task}/weight-map", { params }))) as Map;
    },
    placeholderData: keepPreviousData,
  });
  return (
    <Part title="Who could be first">
      <Loaded query={map} height="34rem">
        {(found) => (
          <div className={styles.first}>
            <div>
              <div className={styles.axes}>
                <Axis
                  label="Weight across"
                  value={found.x}
                  metrics={Object.keys(found.weights).filter((metric) => metric !== found.y)}
                  onChoose={(metric) => onAxes({ map_x: metric, map_y: found.y })}
                />
                <Axis
                  label="Weight up"
                  value={found.y}
                  metrics={Object.keys(found.weights).filter((metric) => metric !== found.x)}
                  onChoose={(metric) => onAxes({ map_x: found.x, map_y: metric })}
                />
              </div>
              <WeightMap
                map={found}
                onPlace={(place) => onWeights(weightsAt(place, [found.x, found.y], found.others))}
              />
            </div>
            <ul className={styles.models}>
              {found.models.map((model) => (
                <FirstPlace key={model.model_id} model={model} weights={found.weights} onWeights={onWeights} />
              ))}
            </ul>
          </div>
        )}
      </Loaded>
    </Part>
  );
}

interface FirstPlaceProps {
  readonly model: Model;
  readonly weights: Weights;
  readonly onWeights: (weights: Weights) => void;
}

function FirstPlace({ model, weights, onWeights }: FirstPlaceProps) {
  const nearest = model.nearest_weights;
  return (
    <li>
      <p>
        <Link href={places.model(model.model_id)}>{model.name}</Link> {inWords(model, weights)}
      </p>
      {nearest && model.rank !== 1 ? (
        <Button
          onClick={() => onWeights(sliders(nearest))}
          aria-label={`Apply the weights that put ${model.name} first`}
        >
          Apply
        </Button>
      ) : null}
    </li>
  );
}

/** What would put a model first. */
export function inWords(model: Model, weights: Weights): string {
  if (model.rank === 1) return "is first now.";
  const nearest = model.nearest_weights;
  if (!nearest) return "is first under no weights at all, as long as exchange rates are what they are.";
  const moved = Object.entries(nearest).filter(
    ([metric, weight]) => Math.abs(weight - (weights[metric] ?? 0)) > 0.0005,
  );
  const changes = moved.map(
    ([metric, weight]) => `${metric} from ${percent(weights[metric] ?? 0)} to ${percent(weight)}`,
  );
  return `would be first, alone or with equals, if ${percent(model.moved ?? 0)} of the weight moved: ${changes.join(", ")}.`;
}

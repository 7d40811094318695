import { type PointerEvent, useRef, useState } from "react";
import type { Shapes } from "../api/client";
import { metricTitle } from "../components/metrics";
import { percent } from "../format/numbers";
import { areaOf, inside, middle, type Pair } from "./plane";
import styles from "./tradeoffs.module.css";

type Map = Shapes["WeightMapView"];

const SIDE = 100;
const COLOURS = ["performance", "throughput", "memory", "fairness", "robustness", "other"];

interface Props {
  readonly map: Map;
  readonly onPlace: (place: Pair) => void;
}

/** Who is first for every pair of weights; a click, or dragging the ring, sets them. The sliders do the same by key. */
export function WeightMap({ map, onPlace }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const [held, setHeld] = useState<Pair | null>(null);
  const regions = map.models.filter((model) => model.polygon.length > 2);
  const [x, y] = held ?? (map.point as Pair);
  const placeOf = (event: PointerEvent): Pair => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.current?.getScreenCTM()?.inverse());
    return inside([at.x / SIDE, 1 - at.y / SIDE]);
  };
  const take = (event: PointerEvent<SVGSVGElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setHeld(placeOf(event));
  };
  const drop = () => {
    if (held) onPlace(held);
    setHeld(null);
  };
  const words = regions.map((model) => `${model.name} on ${percent(areaOf(model.polygon as Pair[]) * 2, 0)}`);
  return (
    <figure className={styles.map}>
      <svg
        ref={svg}
        viewBox={`-14 -4 122 ${SIDE + 20}`}
        role="img"
        aria-label={`Who is first by the weights of ${map.x} and ${map.y}: ${words.join(", ")} of the plane.`}
        onPointerDown={take}
        onPointerMove={(event) => held && setHeld(placeOf(event))}
        onPointerUp={drop}
        onPointerCancel={() => setHeld(null)}
      >
        {regions.map((model, at) => (
          <g key={model.model_id} style={{ color: `var(--metric-${COLOURS[at % COLOURS.length]})` }}>
            <polygon points={cornersOf(model.polygon as Pair[])} className={styles.region}>
              <title>{model.name}</title>
            </polygon>
          </g>
        ))}
        {regions.map((model) => (
          <Name key={model.model_id} name={model.name} polygon={model.polygon as Pair[]} />
        ))}
        <path d={`M0 0V${SIDE}H${SIDE}`} className={styles.axis} />
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <g key={share} className={styles.tick}>
            <text x={share * SIDE} y={SIDE + 5} textAnchor="middle">
              {share * 100}
            </text>
            <text x={-2} y={SIDE - share * SIDE + 1.2} textAnchor="end">
              {share * 100}
            </text>
          </g>
        ))}
        <text x={SIDE / 2} y={SIDE + 12} textAnchor="middle" className={styles.axisName}>
          Weight of {map.x}, %
        </text>
        <text transform={`translate(-10 ${SIDE / 2}) rotate(-90)`} textAnchor="middle" className={styles.axisName}>
          Weight of {map.y}, %
        </text>
        <circle cx={x * SIDE} cy={SIDE - y * SIDE} r={2.4} className={styles.you} />
        <text x={x * SIDE + 4} y={SIDE - y * SIDE + 1.4} className={styles.youName}>
          you
        </text>
      </svg>
      <figcaption className="soft">
        {metricTitle(map.x)} {percent(x)}, {map.y} {percent(y)}. Click or drag to set them; the other metrics share the
        rest as they do now.
      </figcaption>
    </figure>
  );
}

function Name({ name, polygon }: { readonly name: string; readonly polygon: readonly Pair[] }) {
  if (areaOf(polygon) < 0.012) return null;
  const [x, y] = middle(polygon);
  return (
    <text x={x * SIDE} y={SIDE - y * SIDE + 1.2} textAnchor="middle" className={styles.regionName}>
      {name}
    </text>
  );
}

function cornersOf(polygon: readonly Pair[]): string {
  return polygon.map(([x, y]) => `${x * SIDE},${SIDE - y * SIDE}`).join(" ");
}

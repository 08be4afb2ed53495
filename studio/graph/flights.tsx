/** Tokens on their way from one node to the next: seen for a moment, and only by who wants to. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Drawn } from './drawing.ts';
import type { GraphPlan, GraphToken } from './shapes.ts';
import { type Flight, flightsOf, framesAlong } from './ways.ts';

const FLIGHT_MS = 520;
/** More at once are a blur. */
const FLIGHTS_MAX = 40;

interface FlightsProps {
  readonly drawn: Drawn;
  readonly plan: GraphPlan;
  readonly tokens: readonly GraphToken[];
}

interface Flying extends Flight {
  readonly key: number;
}

export function Flights({ drawn, plan, tokens }: FlightsProps): ReactNode {
  const before = useRef<readonly GraphToken[] | null>(null);
  const count = useRef(0);
  const [flying, setFlying] = useState<readonly Flying[]>([]);
  useEffect(() => {
    const old = before.current;
    before.current = tokens;
    // What was there when the graph was opened has not just come.
    if (old === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const flights = flightsOf(drawn, plan, old, tokens).slice(0, FLIGHTS_MAX);
    if (flights.length === 0) return;
    const fresh = flights.map((flight) => {
      count.current += 1;
      return { ...flight, key: count.current };
    });
    setFlying((all) => [...all, ...fresh]);
  }, [drawn, plan, tokens]);
  const land = (key: number): void => setFlying((all) => all.filter((one) => one.key !== key));
  return flying.map((flight) => (
    <Dot key={flight.key} flight={flight} onEnd={() => land(flight.key)} />
  ));
}

function Dot(props: { readonly flight: Flight; readonly onEnd: () => void }): ReactNode {
  const dot = useRef<HTMLDivElement>(null);
  const { points, state } = props.flight;
  const end = useRef(props.onEnd);
  end.current = props.onEnd;
  useEffect(() => {
    const options = { duration: FLIGHT_MS, easing: 'ease-in-out', fill: 'forwards' } as const;
    const animation = dot.current?.animate([...framesAlong(points)], options);
    if (animation !== undefined) animation.onfinish = () => end.current();
    return () => animation?.cancel();
  }, [points]);
  return <div ref={dot} className={`graph-flight graph-token-${state}`} aria-hidden="true" />;
}

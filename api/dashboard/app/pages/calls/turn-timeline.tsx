// Each answered turn as a bar of its stages, and each interruption: all on one scale.
import type { Call } from '../../api-types.ts';
import type { Player } from '../../calls/player.ts';
import { type BargeIn, momentsOf, STAGES, type TurnTiming, turnParts } from '../../calls/turn-parts.ts';
import { formatNumber, formatPosition } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/layout.tsx';

const NAMES = new Map(STAGES);
const ms = (value: number): string => `${formatNumber(Math.round(value))} ms`;

export function TurnTimeline({ latency, player }: { latency: NonNullable<Call['latency']>; player: Player }) {
  const moments = momentsOf(latency);
  if (moments.length === 0) return null;
  const longestMs = Math.max(1, ...moments.map((moment) => (moment.kind === 'turn' ? moment.turn.gapMs : 0)));
  return (
    <Card title="Response gaps">
      <p class="soft">
        From the caller’s last sound to the agent’s first.
        {latency.turns > 1 &&
          ` Of ${formatNumber(latency.turns)} answers half came within ${ms(latency.p50Ms)}, 95 in 100 within ${ms(latency.p95Ms)}.`}
      </p>
      <div class="row small" aria-hidden="true">
        {STAGES.map(([stage, name]) => (
          <span class="row" key={stage}>
            <span class={`stage-key ${stage}`} /> {name}
          </span>
        ))}
      </div>
      <ol class="turns">
        {moments.map((moment) => (
          <li key={`${moment.kind} ${moment.atMs}`}>
            <Button
              look="plain"
              isSmall
              label={`Play from ${formatPosition(moment.atMs)}`}
              onClick={() => player.playFrom(Math.max(0, moment.atMs - 2_000))}
            >
              {formatPosition(moment.atMs)}
            </Button>
            {moment.kind === 'turn' ? (
              <Turn turn={moment.turn} longestMs={longestMs} />
            ) : (
              <Interruption bargeIn={moment.bargeIn} />
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Turn({ turn, longestMs }: { turn: TurnTiming; longestMs: number }) {
  const parts = turnParts(turn);
  return (
    <div>
      <div class="turn-bar" aria-hidden="true">
        {parts.map((part) => (
          <span
            key={part.stage}
            class={part.stage}
            style={{ width: `${(part.ms / longestMs) * 100}%` }}
            title={`${NAMES.get(part.stage)}: ${ms(part.ms)}`}
          />
        ))}
      </div>
      <span class="small number">
        <strong>{ms(turn.gapMs)}</strong>{' '}
        <span class="soft">
          {parts.map((part) => `${NAMES.get(part.stage)} ${ms(part.ms)}`).join(' · ')}
          {turn.guessed && ' · prepared before the turn’s end'}
        </span>
      </span>
    </div>
  );
}

function Interruption({ bargeIn }: { bargeIn: BargeIn }) {
  return (
    <span class="small number">
      <strong>Interrupted</strong>: <span class="soft">the agent was silent after {ms(bargeIn.yieldMs)}</span>
    </span>
  );
}

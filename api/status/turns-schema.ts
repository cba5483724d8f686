// Turns of callers within the last hour, as the overview of an account and the status of the installation show them.
import { type Static, Type } from 'typebox';
import type { TurnsOfHour } from '../../db/queries/calls/running/turn-minutes.ts';
import { nullable } from '../frame/envelope-schema.ts';

export const LastHour = Type.Object(
  {
    turns: Type.Integer({ description: 'Turns of callers that have ended' }),
    failed: Type.Integer({ description: 'Of these, those in which the agent failed, whoever answered them' }),
    unheard: Type.Integer({ description: 'Of the failed, those that the recogniser did not hear' }),
    share: nullable(Type.Number({ description: 'Failed of all, 0 to 1; null without any' })),
  },
  { description: 'The last 60 minutes' },
);
export type LastHour = Static<typeof LastHour>;

export function lastHourOf({ turns, failed, unheard }: TurnsOfHour): LastHour {
  return { turns, failed, unheard, share: turns === 0 ? null : Math.round((failed / turns) * 10_000) / 10_000 };
}

// /admin/status: the faults of the installation, with their remedies.
import { Type } from 'typebox';
import { knownVersion } from '../../db/database.ts';
import { type CallLimit, FACTOR_SOURCES, LIMIT_REASONS, limitMessage } from '../../db/domain/calls/limit.ts';
import { turnsOfHour } from '../../db/queries/calls/running/turn-minutes.ts';
import { namedTrunkStates } from '../../db/queries/trunks/trunk-states.ts';
import { isoTime } from '../../db/records/resources.ts';
import type { EngineTable } from '../../db/schema/processes.ts';
import type { LearnedOfServer } from '../../db/shared/metrics.ts';
import { schemaVersion } from '../../db/upkeep.ts';
import { deliveryOf } from '../auth/registration.ts';
import { Delivery } from '../auth/schema.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, nullable, ok, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { readEngines, readLostEngines, roomOfAll } from '../peers/engines.ts';
import { CHECK_NAMES, CHECK_STATES, statusChecks, worstState } from './checks.ts';
import { LastHour, lastHourOf } from './turns-schema.ts';

const EngineFactor = Type.Object({
  engine: Type.String(),
  factor: Type.Number({ description: 'Seconds of one core for a second of audio' }),
  source: oneOf(FACTOR_SOURCES, { description: 'elsewhere: a server does the work, it costs nearly nothing here' }),
});

const Learned = Type.Object({
  engine: Type.String({ description: 'The machine whose engine found it' }),
  server: Type.String({ description: 'Host and path of the base URL' }),
  model: Type.String(),
  refused: Type.Array(Type.String(), { description: 'Parameters and parts of a request that are left out now' }),
  at: Timestamp,
});

const Status = Type.Object(
  {
    state: oneOf(CHECK_STATES, { description: 'The worst of the checks' }),
    checkedAt: Timestamp,
    mails: Delivery,
    lastHour: LastHour,
    calls: nullable(
      Type.Object(
        {
          now: Type.Integer({ description: 'Ringing and answered, of all accounts' }),
          max: Type.Integer({ description: 'MAX_CALLS, or what follows from the cores and the models' }),
          limit: nullable(
            Type.Object(
              {
                reason: oneOf(LIMIT_REASONS, {
                  description: 'set: by MAX_CALLS; assumed: an engine here has not been measured yet, or there is none',
                }),
                message: Type.String({ description: 'The reason in words' }),
                carries: Type.Integer({
                  description: 'What follows from cores and factors, also where MAX_CALLS is set',
                }),
                cores: Type.Integer(),
                stt: EngineFactor,
                tts: EngineFactor,
              },
              { description: 'Why max is what it is; null while the engine is of an earlier release' },
            ),
          ),
        },
        { description: 'How many calls the engine carries; null while it does not run' },
      ),
    ),
    learned: Type.Array(Learned, {
      description:
        'What the dialogue model’s servers refuse by a trial, tried again after ten minutes; a ' +
        'PATCH /admin/model-settings/llm without a change forgets it',
    }),
    checks: Type.Array(
      Type.Object({
        name: oneOf(CHECK_NAMES),
        subject: nullable(
          Type.String({ description: 'Of several, which: a trunk’s name, a model, a campaign’s name' }),
        ),
        state: oneOf(CHECK_STATES),
        message: nullable(Type.String({ description: 'What is wrong' })),
        remedy: nullable(Type.String({ description: 'What to do' })),
      }),
    ),
  },
  { title: 'Status' },
);

export function registerStatus(app: App, context: ApiContext): void {
  const known = knownVersion(context.config.database);
  const startedAtMs = context.now();
  app.get(
    '/admin/status',
    {
      config: { admin: true },
      schema: {
        tags: ['Administration'],
        summary: 'What is wrong with the installation, and what to do about it',
        response: { 200: ok(Status), ...errorResponses(401, 403, 429) },
      },
    },
    async () => {
      const nowMs = context.now();
      const lastHour = await turnsOfHour(context.read, null, nowMs);
      const engines = await readEngines(context, context.read);
      const checks = statusChecks({
        nowMs,
        startedAtMs,
        lastHour,
        engines,
        lostEngines: await readLostEngines(context),
        trunks: await namedTrunkStates(context.read),
        probed: context.probes.probed,
        schema: { found: await schemaVersion(context.read), known },
      });
      const calls =
        engines.up[0] === undefined
          ? null
          : {
              now: roomOfAll(engines.up).activeCalls,
              max: roomOfAll(engines.up).maxCalls,
              limit: limitOf(engines.up[0].models),
            };
      return {
        data: {
          state: worstState(checks),
          checkedAt: isoTime(nowMs),
          mails: deliveryOf(context),
          lastHour: lastHourOf(lastHour),
          calls,
          learned: engines.up.flatMap(learnedBy),
          checks,
        },
      };
    },
  );
}

function learnedBy({ hostname, models }: EngineTable) {
  const { learned = [] } = JSON.parse(models) as { learned?: LearnedOfServer[] };
  return learned.map(({ atMs, ...what }) => ({ engine: hostname, ...what, at: isoTime(atMs) }));
}

function limitOf(models: string): (CallLimit & { message: string }) | null {
  const { callLimit } = JSON.parse(models) as { callLimit?: CallLimit };
  return callLimit === undefined ? null : { ...callLimit, message: limitMessage(callLimit) };
}

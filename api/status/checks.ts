// Judges what is known of the installation: what is wrong, and what an operator should do. Pure.

import { WRONG_CLOCK_MS } from '../../db/clock-skew.ts';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { CASCADE, type TakenSettings } from '../../db/domain/model-settings.ts';
import { spendLimitName } from '../../db/domain/spend.ts';
import { trunkFault } from '../../db/domain/trunk-state.ts';
import type { TurnsOfHour } from '../../db/queries/calls/running/turn-minutes.ts';
import { isTrunkDown, type NamedTrunkState } from '../../db/queries/trunks/trunk-states.ts';
import type { ReachedLimit } from '../../db/rules/spend.ts';
import type { EngineTable } from '../../db/schema/processes.ts';
import type { ModelFault } from '../../db/shared/metrics.ts';
import { type Engines, notReady } from '../peers/engines.ts';
import type { Probed } from './probes.ts';

export const CHECK_STATES = ['ok', 'warning', 'failing'] as const;
type CheckState = (typeof CHECK_STATES)[number];

export const CHECK_NAMES = [
  'engine',
  'database',
  'disk',
  'files',
  'clock',
  'trunk',
  'model',
  'turns',
  'webhooks',
  'mails',
  'campaign',
  'spend',
] as const;

interface Check {
  name: (typeof CHECK_NAMES)[number];
  /** The checked object if there are several: a trunk's name, a model, a campaign's name. */
  subject: string | null;
  state: CheckState;
  /** The fault; null if there is none. */
  message: string | null;
  /** The remedy. */
  remedy: string | null;
}

interface StatusInput {
  nowMs: number;
  startedAtMs: number;
  /** Turns of callers, and those in which the dialogue model or the recogniser failed. */
  lastHour: TurnsOfHour;
  engines: Engines;
  lostEngines: readonly EngineTable[];
  trunks: readonly NamedTrunkState[];
  probed: Probed;
  /** Version of the database file, and the newest that this program knows. */
  schema: { found: number; known: number };
}

/** One caller in ten that a model leaves alone is no accident any more. */
const FAILING_TURNS_SHARE = 0.1;
const RECENT_MS = 5 * MINUTE_MS;
const STEP_REMEMBERED_MS = 60 * MINUTE_MS;
const WEBHOOKS_LATE_MS = MINUTE_MS;
const DISK_SILENT_MS = 2 * MINUTE_MS;
const DISK_WARNING_PERCENT = 10;
/** Recordings pile up while an object store is away: the warning leaves time to act. */
const DISK_WARNING_PERCENT_WITH_STORE = 20;
const FILES_LATE_MS = 10 * MINUTE_MS;
const DISK_FAILING_PERCENT = 3;

export function statusChecks(input: StatusInput): Check[] {
  return [
    ...engineChecks(input),
    ...input.lostEngines.map((engine) => lostEngineCheck(engine, input.nowMs)),
    databaseCheck(input),
    diskCheck(input),
    ...filesChecks(input),
    clockCheck(input),
    ...engineClockChecks(input),
    ...input.trunks.map((trunk) => trunkCheck(trunk, input.trunks)),
    ...modelChecks(input),
    turnsCheck(input),
    webhooksCheck(input),
    mailsCheck(input),
    ...input.probed.campaignsWithoutNumber.map(campaignCheck),
    ...spendChecks(input),
  ];
}

/** The worst state of the checks. */
export function worstState(checks: readonly Check[]): CheckState {
  if (checks.some(({ state }) => state === 'failing')) return 'failing';
  return checks.some(({ state }) => state === 'warning') ? 'warning' : 'ok';
}

const fine = (name: Check['name'], subject: string | null = null): Check => ({
  name,
  subject,
  state: 'ok',
  message: null,
  remedy: null,
});

/** One for all of them while no call would be answered; one for each where there are several. */
function engineChecks({ engines: { up, known, reason, newest }, nowMs }: StatusInput): Check[] {
  if (reason === null && known.length <= 1) return [fine('engine')];
  if (reason !== null) return [engineDown(reason, newest)];
  return known.map((engine) => {
    if (up.includes(engine)) return fine('engine', engine.hostname);
    const remedy = 'Look at that machine: the other engines take its new calls.';
    return { ...fine('engine', engine.hostname), state: 'warning', message: notReady(engine, nowMs), remedy };
  });
}

/** Without it the status would be well again as soon as the others have taken its calls, with less capacity. */
function lostEngineCheck({ hostname, heartbeatAt, maxCalls }: EngineTable, nowMs: number): Check {
  const minutes = Math.max(1, Math.round((nowMs - heartbeatAt) / MINUTE_MS));
  return {
    ...fine('engine', hostname),
    state: 'warning',
    message: `this engine was lost ${minutes} minutes ago and has not come back: ${maxCalls} places are missing`,
    remedy: 'Start it again on its DATA_DIR, or another one in its place; a lost engine is forgotten after a day.',
  };
}

function engineDown(reason: string, newest: Engines['newest']): Check {
  const state = newest?.state === 'starting' || newest?.state === 'draining' ? 'warning' : 'failing';
  const remedy = 'Read the log: the supervisor starts the engine again. Calls are refused meanwhile.';
  return { ...fine('engine'), state, message: reason, remedy };
}

function databaseCheck({ schema: { found, known } }: StatusInput): Check {
  if (found === known) return fine('database');
  return {
    ...fine('database'),
    state: 'failing',
    message: `voice.db has schema ${found}, this program has ${known}`,
    remedy: 'Restart the service with the newest release that ran on this DATA_DIR.',
  };
}

function diskCheck({ probed: { disk, store }, nowMs, startedAtMs }: StatusInput): Check {
  const heardAtMs = disk?.atMs ?? startedAtMs;
  if (nowMs - heardAtMs > DISK_SILENT_MS) {
    const minutes = Math.floor((nowMs - heardAtMs) / MINUTE_MS);
    const message = `the disk of DATA_DIR has not answered for ${minutes} minutes`;
    return { ...fine('disk'), state: 'failing', message, remedy: 'Look at the disk, or at the network it is on.' };
  }
  if (disk === null) return fine('disk');
  const percent = (disk.freeBytes / Math.max(1, disk.totalBytes)) * 100;
  if (percent >= (store === null ? DISK_WARNING_PERCENT : DISK_WARNING_PERCENT_WITH_STORE)) return fine('disk');
  const freeGb = (disk.freeBytes / 1e9).toFixed(1);
  return {
    ...fine('disk'),
    state: percent < DISK_FAILING_PERCENT ? 'failing' : 'warning',
    message: `${percent.toFixed(0)} % of the disk of DATA_DIR are free (${freeGb} GB)`,
    remedy: 'Make room: recordings need about 1 MB a minute. On a full disk calls go on without a recording.',
  };
}

function filesChecks({ probed: { store }, nowMs }: StatusInput): Check[] {
  if (store === null) return [];
  const { error, recordings, deletions } = store;
  const isLate = ({ oldestAt }: { oldestAt: number | null }) => oldestAt !== null && nowMs - oldestAt > FILES_LATE_MS;
  const waiting =
    recordings.count === 0
      ? null
      : `${recordings.count} ${recordings.count === 1 ? 'recording waits' : 'recordings wait'} on the disk`;
  if (error !== null) {
    return [
      {
        ...fine('files'),
        state: 'failing',
        message: waiting === null ? error : `${error}; ${waiting}`,
        remedy: 'Calls go on, and recordings wait on the disk. docs/files.md says what each failure means.',
      },
    ];
  }
  const parts = [
    isLate(recordings) ? waiting : null,
    isLate(deletions)
      ? `${deletions.count} ${deletions.count === 1 ? 'file to delete is' : 'files to delete are'} still in the object store`
      : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return [fine('files')];
  return [
    {
      ...fine('files'),
      state: 'warning',
      message: parts.join('; '),
      remedy:
        'Read the log of the engine that has them (docs/files.md): does it run, and may its key write and delete?',
    },
  ];
}

const CLOCK_REMEDY = 'Let NTP keep the clocks of all machines: what one writes is late or early on another.';

const clockFault = (skewMs: number, whose: string): string =>
  `the clock of ${whose} is ${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? 'behind' : 'ahead of'} the database's`;

/** Of the engines' machines, those that are wrong. */
function engineClockChecks({ engines: { up } }: StatusInput): Check[] {
  const wrong = up.filter(({ clockSkewMs }) => Math.abs(clockSkewMs) > WRONG_CLOCK_MS);
  return wrong.map(({ hostname, clockSkewMs }) => ({
    ...fine('clock', hostname),
    state: 'failing',
    message: clockFault(clockSkewMs, 'this engine'),
    remedy: CLOCK_REMEDY,
  }));
}

function clockCheck({ probed: { clockStep, skewMs, deletionsHeldUntil }, nowMs }: StatusInput): Check {
  if (Math.abs(skewMs) > WRONG_CLOCK_MS) {
    return {
      ...fine('clock'),
      state: 'failing',
      message: clockFault(skewMs, 'this machine'),
      remedy: CLOCK_REMEDY,
    };
  }
  if (deletionsHeldUntil !== null && deletionsHeldUntil > nowMs) {
    return {
      ...fine('clock'),
      state: 'warning',
      message: `by the clock nothing old was deleted for days: nothing is until ${new Date(deletionsHeldUntil).toISOString()}`,
      remedy: 'Look at the date of this machine. Where it is right, the service was off, and nothing is to be done.',
    };
  }
  if (clockStep === null || Math.abs(nowMs - clockStep.atMs) > STEP_REMEMBERED_MS) return fine('clock');
  const seconds = Math.round(clockStep.byMs / 1_000);
  return {
    ...fine('clock'),
    state: 'warning',
    message: `the clock was set by ${seconds > 0 ? '+' : ''}${seconds} s at ${new Date(clockStep.atMs).toISOString()}`,
    remedy: 'Let NTP keep the clock: calling windows, tokens and two-factor codes follow it.',
  };
}

function trunkCheck({ id, name, state, backupTrunkId }: NamedTrunkState, all: readonly NamedTrunkState[]): Check {
  const fault = state === undefined ? null : trunkFault(state.registrationState, state.healthState);
  if (fault === null) return fine('trunk', name);
  const backup = all.find((trunk) => trunk.id === backupTrunkId);
  const hasBackup = backup !== undefined && !isTrunkDown(backup.state);
  const what = fault === 'refused' ? 'its registration is refused' : 'it does not answer';
  return {
    ...fine('trunk', name),
    state: hasBackup ? 'warning' : 'failing',
    message: `${what}${state?.lastError ? `: ${state.lastError}` : ''}${hasBackup ? '; calls leave by its backup' : ''}`,
    remedy: `GET /admin/trunks/${id} has the details; docs/trunks.md says what each error means.`,
  };
}

const MODELS = {
  llm: 'dialogue',
  stt: 'recogniser',
  tts: 'voice',
  'speech-to-speech': 'speech-to-speech model',
} as const;

function modelChecks({ engines: { up, newest }, nowMs }: StatusInput): Check[] {
  const engine = up[0] ?? newest;
  if (engine === undefined) return [];
  const {
    faults = [],
    settings = {},
    ...names
  } = JSON.parse(engine.models) as {
    faults?: ModelFault[];
    settings?: Partial<Record<keyof typeof MODELS, TakenSettings>>;
  } & Record<string, unknown>;
  const hasSpeech = names['speech-to-speech'] !== undefined || settings['speech-to-speech']?.error != null;
  const speech = hasSpeech ? (['speech-to-speech'] as const) : [];
  return (['llm', 'stt', 'tts', ...speech] as const).map((model) => {
    const subject = `${MODELS[model]}: ${String(names[model] ?? (model === 'speech-to-speech' ? CASCADE : 'unknown'))}`;
    const refused = settings[model]?.error ?? null;
    if (refused !== null) {
      return {
        ...fine('model', subject),
        state: 'warning',
        message: `the settings of the dashboard were not taken: ${refused}`,
        remedy: 'Correct them on the page Models, or by PATCH /admin/model-settings; docs/engines.md.',
      };
    }
    const own = faults.filter((fault) => fault.model === model);
    const failed = own.find(({ source, atMs }) => source === 'call' && nowMs - atMs < RECENT_MS);
    const fault = failed ?? own.find(({ source }) => source === 'server');
    if (fault === undefined) return fine('model', subject);
    return {
      ...fine('model', subject),
      // The built-in recogniser and voice do the same work; the receptionist answers only what it knows.
      state: model === 'llm' && fault.source === 'call' ? 'failing' : 'warning',
      message: fault.message,
      remedy:
        'Mend what the message names: on the page Models, or with a restart where a variable sets it; ' +
        'docs/dialogue-models.md, docs/engines.md.',
    };
  });
}

function turnsCheck({ lastHour: { turns, failed, unheard } }: StatusInput): Check {
  if (failed === 0) return fine('turns');
  const share = failed / Math.max(1, turns);
  const unanswered = failed - unheard;
  const parts = [
    unanswered === 0 ? null : `the dialogue model failed in ${unanswered}`,
    unheard === 0 ? null : `the recogniser failed in ${unheard}`,
  ].filter((part) => part !== null);
  const remedies = [
    unanswered === 0 ? null : 'The log says why at "dialogue model failed"; docs/dialogue-models.md.',
    unheard === 0
      ? null
      : 'The log says why at "model failed" with stt: too slow for this machine, or its server is away; docs/engines.md.',
    'The calls have it in fallbacks.',
  ].filter((remedy) => remedy !== null);
  return {
    ...fine('turns'),
    state: share >= FAILING_TURNS_SHARE ? 'failing' : 'warning',
    message: `${parts.join(', ')} of the ${turns} turns of the last hour (${Math.round(share * 100)} %)`,
    remedy: remedies.join(' '),
  };
}

function webhooksCheck({ probed: { webhooks }, nowMs }: StatusInput): Check {
  const { failing, switchedOff, oldestWaitingAt } = webhooks;
  const remedy =
    'GET /webhooks/:id/deliveries has the answers of the receivers; one that was switched off is switched on by PATCH.';
  const lateMs = oldestWaitingAt === null ? 0 : nowMs - oldestWaitingAt;
  if (lateMs > WEBHOOKS_LATE_MS) {
    const message = `an event has waited for its first delivery for ${Math.floor(lateMs / 1_000)} s`;
    return {
      ...fine('webhooks'),
      state: 'failing',
      message,
      remedy: 'Is an API process running that delivers? Read its log.',
    };
  }
  const parts = [
    failing === 0 ? null : `${failing} ${failing === 1 ? 'fails' : 'fail'} now`,
    switchedOff === 0 ? null : `${switchedOff} switched off after 5 days of failure`,
  ].filter((part) => part !== null);
  if (parts.length === 0) return fine('webhooks');
  return { ...fine('webhooks'), state: 'warning', message: `webhooks: ${parts.join(', ')}`, remedy };
}

function mailsCheck({ probed: { mailsWaiting } }: StatusInput): Check {
  if (mailsWaiting === 0) return fine('mails');
  return {
    ...fine('mails'),
    state: 'warning',
    message: `${mailsWaiting} ${mailsWaiting === 1 ? 'mail' : 'mails'} could not be sent yet`,
    remedy: 'Look at SMTP_URL and at "mail could not be sent" in the log; each is tried for up to 3 days.',
  };
}

function campaignCheck(name: string): Check {
  return {
    ...fine('campaign', name),
    state: 'warning',
    message: 'it is running and none of its numbers is active: its contacts wait',
    remedy: 'Activate one of its numbers by PATCH /phone-numbers/:id, or give it another by PATCH /campaigns/:id.',
  };
}

/** One for each spender: a stop is worse than an alarm, and says more. */
function spendChecks({ probed: { reachedSpendLimits } }: StatusInput): Check[] {
  const worst = new Map<string | null, ReachedLimit>();
  for (const limit of reachedSpendLimits) {
    if (worst.get(limit.accountId)?.level !== 'stop') worst.set(limit.accountId, limit);
  }
  return [...worst.values()].map((limit) => {
    const { accountId, accountName, level, window, minutes, limitMinutes } = limit;
    const where = accountId === null ? 'PATCH /admin/settings' : `PATCH /admin/accounts/${accountId}`;
    return {
      ...fine('spend', accountId === null ? 'all accounts' : accountName),
      state: level === 'stop' && accountId === null ? 'failing' : 'warning',
      message: `${minutes} outbound minutes in this ${window}, ${level} at ${limitMinutes}${level === 'stop' ? ': calls are refused' : ''}`,
      remedy: `Look at its calls: are they meant? The limit (${spendLimitName(level, window)}) is changed by ${where}, docs/spend.md.`,
    };
  });
}

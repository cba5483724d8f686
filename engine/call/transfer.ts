// Performs transfer-machine.ts's effects on the person's leg and on their audio in the shard.
import type { Logger } from 'pino';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import { fill } from '../../models/llm/phrases/phrases.ts';
import type { Clock } from '../clock.ts';
import type { OpenCall, ShardEvent } from '../shard/protocol.ts';
import type { Shards } from '../shard/shards.ts';
import type { Leg, LegEvent, LocalAudio, StoredDialog, Telephony } from '../sip/telephony.ts';
import { type AudioEntrance, audioEntrance } from './audio-entrance.ts';
import type { CallInfo, ConductorDeps, ConductorOptions } from './context.ts';
import { callVoice, turnConfig, vocabulary } from './setup.ts';
import {
  startTransfer,
  stepTransfer,
  type TransferEffect,
  type TransferEvent,
  type TransferState,
} from './transfer-machine.ts';
import type { TransferPermits } from './transfer-permits.ts';
import type { CallWrites } from './writes.ts';

const PERSON_RING_MS = 25_000;
const PERSON_RATE_HZ = 8_000;

interface TransferOptions {
  callId: string;
  /** The tenant. */
  accountId: string;
  /** E.164, or `sip:USERNAME` for a softphone. */
  target: string;
  /** The caller's leg, if its peer can be asked to call the person (REFER); null if only we can. */
  leg: Leg | null;
  telephony: Telephony;
  shards: Shards;
  clock: Clock;
  /** Trunks to the person, in the order to try them. */
  trunks(): Promise<string[]>;
  from: string;
  open: Pick<OpenCall, 'turn' | 'voice' | 'vocabulary'>;
  /** Spoken to the person before the caller is put through. */
  announcement: string;
  storeDialog(dialog: StoredDialog): Promise<void>;
  permits: TransferPermits;
  /** The books of a leg that costs, over a trunk. */
  costs: LegCosts;
  onOutcome(outcome: 'accepted' | 'referred' | 'bridged' | 'failed'): void;
  /** The person hung up after both were joined. */
  onPersonGone(): void;
  log: Logger;
}

interface LegCosts {
  dialled(): void;
  answered(): void;
  ended(): void;
  /** The other side took the transfer over: what it costs is not seen from here. */
  referred(): void;
}

export class Transfer {
  readonly #options: TransferOptions;
  /** In the shard, the person's audio is a separate call. */
  readonly #personCallId: string;
  readonly #entrance: AudioEntrance;
  #state: TransferState = { phase: 'done' };
  #person: Leg | null = null;
  #cancelTimer: (() => void) | null = null;
  #isClosed = false;
  /** Releases the place of the person's leg. */
  #leavePlace: (() => void) | null = null;
  #isReferralCounted = false;

  constructor(options: TransferOptions) {
    this.#options = options;
    this.#personCallId = `${options.callId}:human`;
    this.#entrance = audioEntrance(options.telephony, { callId: this.#personCallId, sampleRateHz: PERSON_RATE_HZ });
  }

  /** If the target may not be called, the transfer has failed; the caller hears silence until that is known. */
  async start(): Promise<void> {
    const { leg, log, permits, accountId, target, onOutcome } = this.#options;
    try {
      const reason = await permits.obstacle({ accountId, trunkIds: await this.#options.trunks(), target });
      if (this.#isClosed) return;
      if (reason !== null) {
        log.warn({ reason }, 'the transfer was refused');
        return onOutcome('failed');
      }
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'could not check whether the person may be called');
      if (!this.#isClosed) onOutcome('failed');
      return;
    }
    const [state, effects] = startTransfer(leg !== null);
    log.info({ by: leg === null ? 'call' : 'REFER' }, 'transfer');
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  onReferProgress(status: number): void {
    this.#step({ type: 'refer-progress', status });
  }

  /** The call is over or the transfer timed out: drops the person's leg too. */
  close(): void {
    this.#isClosed = true;
    this.#step({ type: 'abandoned' });
  }

  #step(event: TransferEvent): void {
    const [state, effects] = stepTransfer(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: TransferEffect): void {
    const { callId, leg, target, shards, clock, onOutcome, onPersonGone } = this.#options;
    const personCallId = this.#personCallId;
    switch (effect.type) {
      case 'refer':
        leg?.refer(target);
        return;
      case 'arm-timer':
        this.#cancelTimer = clock.after(effect.delayMs, () => this.#step({ type: 'refer-timeout' }));
        return;
      case 'cancel-timer':
        this.#cancelTimer?.();
        this.#cancelTimer = null;
        return;
      case 'open-audio':
        this.#openAudio();
        return;
      case 'close-audio':
        shards.send({ type: 'close', callId: personCallId });
        return;
      case 'dial-person':
        void this.#dial(effect.audio);
        return;
      case 'connect-person':
        shards.send({ type: 'connect', callId: personCallId, audio: effect.audio });
        return;
      case 'announce':
        shards.send({ type: 'answered', callId: personCallId });
        return;
      case 'hang-up-person':
        this.#person?.hangUp();
        return;
      case 'bridge':
        shards.send({ type: 'bridge', callId, otherCallId: personCallId });
        return;
      case 'unbridge':
        shards.send({ type: 'unbridge', callId });
        return;
      case 'report':
        onOutcome(effect.outcome);
        this.#countReferral(effect.outcome);
        return;
      case 'report-person-gone':
        onPersonGone();
        return;
      default:
        unreachable(effect);
    }
  }

  #openAudio(): void {
    const { shards, open, callId } = this.#options;
    shards.open(
      {
        type: 'open',
        callId: this.#personCallId,
        sampleRateHz: PERSON_RATE_HZ,
        transport: this.#entrance.transport,
        ...open,
        recordingPath: null,
        amd: null,
      },
      (event) => this.#onShardEvent(event),
      callId,
    );
  }

  #onShardEvent(event: ShardEvent): void {
    const { shards, announcement } = this.#options;
    const callId = this.#personCallId;
    switch (event.type) {
      case 'opened':
        return this.#step({ type: 'audio-opened', audio: this.#entrance.at(event.address, event.port) });
      case 'open-failed':
      case 'call-failed':
        return this.#step({ type: 'audio-failed' });
      case 'reply-wanted': {
        // The person hears the announcement only; there is no agent on their line.
        if (!event.committed) return;
        const { epoch } = event;
        if (event.cause.kind === 'opening') {
          shards.send({ type: 'speak', callId, epoch, index: 0, text: announcement, interruptible: false });
        }
        return shards.send({ type: 'reply-complete', callId, epoch });
      }
      case 'reply-heard':
        return this.#step({ type: 'announcement-heard' });
      default:
        // Other events on the person's line do not concern the caller.
        return;
    }
  }

  async #dial(audio: LocalAudio): Promise<void> {
    const { telephony, trunks, target, accountId, from, storeDialog, log, permits, costs } = this.#options;
    try {
      const trunkIds = await trunks();
      const place = await permits.takePlace(target.startsWith('sip:') ? null : (trunkIds[0] ?? null));
      if (typeof place === 'string') throw new Error(place);
      // The caller hung up meanwhile.
      if (this.#state.phase !== 'ringing') return place();
      this.#leavePlace = place;
      const leg = telephony.dial({
        trunkIds,
        to: target,
        accountId,
        from,
        fromName: null,
        audio,
        ringTimeoutMs: PERSON_RING_MS,
        beforeInvite: storeDialog,
      });
      costs.dialled();
      this.#person = leg;
      leg.onEvent((event) => this.#onLegEvent(event));
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'could not call the person');
      this.#leavePlace?.();
      this.#options.costs.ended();
      this.#step({ type: 'person-ended' });
    }
  }

  #countReferral(outcome: 'accepted' | 'referred' | 'bridged' | 'failed'): void {
    // Many peers accept, hang up, and report nothing.
    if (this.#isReferralCounted || (outcome !== 'accepted' && outcome !== 'referred')) return;
    this.#isReferralCounted = true;
    this.#options.costs.referred();
  }

  #onLegEvent(event: LegEvent): void {
    switch (event.type) {
      case 'dialog-stored':
        this.#options.storeDialog(event.dialog).catch((error: unknown) => {
          this.#options.log.error({ error: messageOf(error) }, 'could not store the dialog of the person');
        });
        return;
      case 'answered':
        this.#options.costs.answered();
        return this.#step({ type: 'person-answered', audio: event.audio });
      case 'audio-changed':
        return this.#step({ type: 'person-audio-changed', audio: event.audio });
      case 'ended':
        this.#leavePlace?.();
        this.#options.costs.ended();
        return this.#step({ type: 'person-ended' });
      case 'ringing':
      case 'digit':
      case 'refer-progress':
        return;
      default:
        unreachable(event);
    }
  }
}

/** A softphone of the house. */
const FREE: LegCosts = { dialled() {}, answered() {}, ended() {}, referred() {} };

function legCosts({ id: callId, accountId }: CallInfo, clock: Clock, writes: CallWrites): LegCosts {
  return {
    dialled: () => writes.enqueue('openTransferLeg', { callId, accountId }),
    answered: () => writes.enqueue('answerTransferLeg', { callId, nowMs: clock.nowMs() }),
    ended: () => writes.enqueue('closeTransferLeg', { callId, endedAtMs: clock.nowMs() }),
    referred: () => writes.enqueue('countReferral', { accountId, nowMs: clock.nowMs() }),
  };
}

/** One call's transfer: the trunks and caller id for reaching the person, and the announcement. */
export function createTransfer(
  deps: Pick<ConductorDeps, 'telephony' | 'shards' | 'clock' | 'llmTimeoutMs' | 'trunksFor' | 'recogniser' | 'permits'>,
  { call, setup, medium }: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>,
  writes: CallWrites,
  leg: Leg | null,
  target: string,
  log: Logger,
  listener: Pick<TransferOptions, 'onOutcome' | 'onPersonGone'>,
): Transfer {
  const { telephony, shards, clock, trunksFor } = deps;
  const isOutbound = medium.kind === 'outbound';
  const words = phrasesFor(setup.agent.language).call;
  return new Transfer({
    callId: call.id,
    accountId: call.accountId,
    target,
    leg: isReachedByPeer(target, medium) ? leg : null,
    telephony,
    shards,
    clock,
    trunks: () => (isOutbound ? Promise.resolve(medium.trunkIds) : trunksFor(call.phoneNumberId)),
    from: isOutbound ? call.fromNumber : call.toNumber,
    announcement: fill(words.announcement, {
      agentName: setup.agent.name,
      businessName: setup.business.name,
      callerName: call.callerName ?? words.unknownCaller,
    }),
    open: {
      turn: { ...turnConfig(setup, false, deps.recogniser, deps.llmTimeoutMs), openingDelayMs: 0 },
      voice: callVoice(setup),
      vocabulary: vocabulary(setup),
    },
    storeDialog: (dialog) => writes.run('storeDialog', { callId: call.id, leg: 'human', dialog, nowMs: clock.nowMs() }),
    permits: deps.permits,
    costs: target.startsWith('sip:') ? FREE : legCosts(call, clock, writes),
    ...listener,
    log,
  });
}

/**
 * A REFER makes the caller's side call the target. It does not know our softphones, and a caller that is one of our
 * softphones can reach nobody else.
 */
function isReachedByPeer(target: string, medium: ConductorOptions['medium']): boolean {
  return !target.startsWith('sip:') && !(medium.kind === 'inbound' && medium.sipAccountId !== null);
}

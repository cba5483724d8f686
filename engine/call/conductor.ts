// One call's conductor: it feeds the call machine with what the leg, the shard, the dialogue and the clock report, and
// performs the effects. It decides nothing itself; what it holds is who to talk to.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Writer } from '../../db/writer.ts';
import type { CallStats, ShardEvent } from '../shard/protocol.ts';
import type { InboundLeg, Leg, LegEvent, LocalAudio, OutboundLeg } from '../sip/telephony.ts';
import type { ReplyCause, TurnPhase } from '../turn/machine.ts';
import type { CallMedium, ConductorDeps, ConductorOptions } from './call-context.ts';
import { createDialogue } from './call-dialogue.ts';
import { callVoice, greeting, turnConfig, vocabulary } from './call-setup.ts';
import { clausesOf } from './clause-splitter.ts';
import type { Dialogue } from './dialogue.ts';
import {
  type CallEffect,
  type CallEvent,
  type CallPlan,
  type CallState,
  type CallTimer,
  offeredCall,
  stepCall,
} from './machine.ts';
import { OPT_OUT_DIGIT, offersOptOut } from './opt-out-digits.ts';
import type { CallTerminal } from './outcomes.ts';
import { announcement, STILL_CONNECTING } from './phrases.ts';
import { CallRecord, type LiveState, type RecordChange, UNINTELLIGIBLE } from './record.ts';
import { writeTerminal } from './terminal.ts';
import type { ToolAction } from './tools/tool.ts';
import { Transfer } from './transfer.ts';

const JOIN_TIMEOUT_MS = 60_000;
const RING_TIMEOUT_MS = 45_000;
const MINUTE_MS = 60_000;

const LIVE_STATES: Partial<Record<TurnPhase, LiveState>> = {
  listening: 'listening',
  hearing: 'listening',
  pausing: 'listening',
  thinking: 'thinking',
  speaking: 'speaking',
  doubting: 'speaking',
};

export class Conductor {
  readonly #deps: ConductorDeps;
  readonly #options: ConductorOptions;
  readonly #log: Logger;
  readonly #record: CallRecord;
  readonly #dialogue: Dialogue;
  readonly #timers = new Map<CallTimer, NodeJS.Timeout>();
  #state: CallState;
  #leg: Leg | null = null;
  #transfer: Transfer | null = null;
  #stats: CallStats | null = null;
  #recordingPath: string | null = null;
  /** Causes of replies that were bound, until they have been heard. */
  readonly #causes = new Map<number, ReplyCause>();
  /** `send_digits` tools that wait to hear whether the shard could send, in order. */
  readonly #onDigitsSent: Array<(ok: boolean) => void> = [];
  #isMachine = false;
  #isTransferTold = false;

  constructor(deps: ConductorDeps, options: ConductorOptions) {
    const { call, medium } = options;
    this.#deps = deps;
    this.#options = options;
    this.#log = deps.log.child({ callId: call.id });
    this.#state = offeredCall(medium.kind);
    this.#record = new CallRecord({
      writer: deps.writer,
      accountId: call.accountId,
      callId: call.id,
      now: deps.now,
      onLost: (error) => this.#log.warn({ error: messageOf(error) }, 'live feed not written'),
    });
    if (medium.kind === 'web') this.#record.onChange((change) => this.#tellBrowser(change));
    this.#dialogue = createDialogue(deps, options, this.#log, {
      onAction: (action) => this.#onAction(action),
      onAccomplished: () => this.#step({ type: 'exchange-done' }),
      sendDigits: (digits) => this.#sendDigits(digits),
    });
  }

  get kind(): CallMedium['kind'] {
    return this.#options.medium.kind;
  }

  get callId(): string {
    return this.#options.call.id;
  }

  /** Begins: an inbound leg rings, an outbound one is dialled, a browser is waited for. */
  start(): void {
    const { medium, setup, call } = this.#options;
    const plan: CallPlan = {
      maxDurationMs: setup.business.maxCallDurationMinutes * MINUTE_MS,
      ringTimeoutMs: medium.kind === 'outbound' ? medium.ringTimeoutMs : RING_TIMEOUT_MS,
      joinTimeoutMs: JOIN_TIMEOUT_MS,
      voicemail: setup.campaign.voicemailAction,
      contactId: call.contactId,
    };
    if (medium.kind === 'inbound') this.#listen(medium.leg);
    this.#step({ type: 'admitted', plan });
  }

  /** `POST /calls/:id/end`. */
  requestEnd(): void {
    this.#step({ type: 'end-requested' });
  }

  shutdown(): void {
    this.#step({ type: 'shutdown' });
  }

  #step(event: CallEventBody): void {
    const [state, effects] = stepCall(this.#state, { ...event, nowMs: this.#deps.now() } as CallEvent);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: CallEffect): void {
    const { deps, call } = { deps: this.#deps, call: this.#options.call };
    switch (effect.type) {
      case 'write-row':
        return this.#writeRow();
      case 'open-audio':
        return this.#openAudio();
      case 'connect-audio':
        return deps.shards.send({ type: 'connect', callId: call.id, audio: effect.audio });
      case 'close-audio':
        this.#record.state('ended');
        return deps.shards.send({ type: 'close', callId: call.id });
      case 'ring-leg':
        return (this.#leg as InboundLeg | null)?.ring();
      case 'answer-leg':
        return (this.#leg as InboundLeg | null)?.answer({ address: effect.address, port: effect.port });
      case 'reject-leg':
        return (this.#leg as InboundLeg | null)?.reject(effect.sipStatus);
      case 'dial-leg':
        return this.#dial({ address: effect.address, port: effect.port });
      case 'hang-up-leg':
        this.#transfer?.close();
        return this.#leg?.hangUp();
      case 'write-answered':
        return this.#durably('markAnswered', {
          callId: call.id,
          recordingPath: this.#recordingPath,
          nowMs: effect.answeredAtMs,
        });
      case 'start-dialogue':
        return deps.shards.send({ type: 'answered', callId: call.id });
      case 'stop-dialogue':
        return this.#dialogue.close();
      case 'transfer':
        return this.#startTransfer(effect.target);
      case 'transfer-failed':
        this.#transfer?.close();
        this.#transfer = null;
        return deps.shards.send({
          type: 'request-reply',
          callId: call.id,
          request: { kind: 'note', note: { kind: 'transfer-failed' } },
        });
      case 'warn-limit':
        return deps.shards.send({
          type: 'request-reply',
          callId: call.id,
          request: { kind: 'note', note: { kind: 'limit-near', remainingMs: effect.remainingMs } },
        });
      case 'await-beep':
        this.#isMachine = true;
        return this.#dialogue.mute();
      case 'leave-message':
        return this.#leaveMessage();
      case 'arm-timer':
        return this.#armTimer(effect.timer, effect.serial, effect.atMs);
      case 'cancel-timer':
        clearTimeout(this.#timers.get(effect.timer));
        this.#timers.delete(effect.timer);
        return;
      case 'write-terminal':
        void this.#writeTerminal(effect.terminal);
        return;
      case 'free-contact':
        // Done in the transaction of write-terminal: the contact must not be free while its call is open.
        return;
      default:
        return unreachable(effect);
    }
  }

  #writeRow(): void {
    const { call, setup, medium, engineId } = this.#options;
    this.#durably('createInboundCall', {
      id: call.id,
      accountId: call.accountId,
      businessId: setup.business.id,
      campaignId: setup.campaign.id,
      agentId: setup.agent.id,
      phoneNumberId: call.phoneNumberId ?? '',
      fromNumber: call.fromNumber,
      toNumber: call.toNumber,
      callerName: call.callerName,
      trunkId: medium.kind === 'inbound' ? medium.leg.trunkId : null,
      engineId,
      nowMs: this.#deps.now(),
    });
  }

  #openAudio(): void {
    const { call, setup, medium } = this.#options;
    const records = setup.campaign.recordingEnabled === 1;
    this.#recordingPath = records ? join(this.#deps.recordingsDir, `${call.id}.wav`) : null;
    this.#deps.shards.open(
      {
        type: 'open',
        callId: call.id,
        sampleRateHz: medium.kind === 'web' ? 16_000 : 8_000,
        transport: medium.kind === 'web' ? { kind: 'socket', token: medium.token } : { kind: 'rtp' },
        turn: turnConfig(setup.business),
        voice: callVoice(setup),
        vocabulary: vocabulary(setup, medium.kind === 'outbound' && medium.detectMachines),
        recordingPath: this.#recordingPath,
        amd: medium.kind === 'outbound' && medium.detectMachines ? { enabled: true } : null,
      },
      (event) => this.#onShardEvent(event),
    );
    const texts = clausesOf(greeting(setup, call.callerName, medium.kind === 'outbound'));
    this.#deps.shards.send({ type: 'prepare-speech', callId: call.id, texts });
  }

  #dial(audio: LocalAudio): void {
    const { call, medium } = this.#options;
    if (medium.kind !== 'outbound') return;
    try {
      const leg: OutboundLeg = this.#deps.telephony.dial({
        trunkIds: medium.trunkIds,
        to: call.toNumber,
        from: call.fromNumber,
        fromName: null,
        audio,
        ringTimeoutMs: medium.ringTimeoutMs,
        // The dialog is durable before its INVITE leaves, so that a crash never leaves a callee on a dead line.
        beforeInvite: (dialog) =>
          this.#deps.writer.runDurably('storeDialog', {
            callId: call.id,
            leg: 'peer',
            dialog,
            nowMs: this.#deps.now(),
          }),
      });
      this.#durably('markStarted', { callId: call.id, type: 'call.started', nowMs: this.#deps.now() });
      this.#listen(leg);
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'the call could not be dialled');
      this.#step({
        type: 'leg-ended',
        end: { by: 'network', sipStatus: null, q850Cause: null, reason: messageOf(error), rang: false },
      });
    }
  }

  #listen(leg: Leg): void {
    this.#leg = leg;
    leg.onEvent((event) => this.#onLegEvent(event));
  }

  #onLegEvent(event: LegEvent): void {
    const { call } = this.#options;
    switch (event.type) {
      case 'dialog-stored':
        return this.#durably('storeDialog', {
          callId: call.id,
          leg: 'peer',
          dialog: event.dialog,
          nowMs: this.#deps.now(),
        });
      case 'ringing':
        return this.#step({ type: 'leg-ringing', earlyAudio: event.earlyAudio });
      case 'answered':
        return this.#step({ type: 'leg-answered', audio: event.audio });
      case 'audio-changed':
        return this.#step({ type: 'leg-audio-changed', audio: event.audio });
      case 'digit':
        return this.#deps.shards.send({ type: 'digit', callId: call.id, digit: event.digit });
      case 'refer-progress':
        this.#transfer?.onReferProgress(event.status);
        return;
      case 'ended':
        this.#log.info({ by: event.end.by, sipStatus: event.end.sipStatus, q850: event.end.q850Cause }, 'leg ended');
        return this.#step({ type: 'leg-ended', end: event.end });
      default:
        return unreachable(event);
    }
  }

  #onShardEvent(event: ShardEvent): void {
    switch (event.type) {
      case 'opened':
        this.#options.onOpened?.();
        return this.#step({ type: 'audio-opened', address: event.address, port: event.port });
      case 'open-failed':
        this.#log.error({ code: event.code, error: event.message }, 'audio could not be opened');
        return this.#step({ type: 'audio-open-failed' });
      case 'reply-wanted':
        if (event.committed) this.#onCommitted(event.epoch, event.cause);
        if (event.cause.kind === 'idle' && this.#transfer) return this.#keepWaiting(event.epoch);
        return this.#dialogue.wantReply(event.epoch, event.cause, event.committed);
      case 'reply-committed':
        this.#onCommitted(event.epoch, event.cause);
        return this.#dialogue.commitReply(event.epoch, event.cause);
      case 'reply-dropped':
        this.#causes.delete(event.epoch);
        return this.#dialogue.dropReply(event.epoch);
      case 'reply-heard':
        return this.#onHeard(event);
      case 'caller-digits':
        this.#record.digits(event.digits, event.atMs);
        return this.#optOutByDigit(event.digits);
      case 'caller-unanswered':
        return this.#record.add({
          speaker: 'caller',
          text: event.text.trim() || UNINTELLIGIBLE,
          timestamp: event.startedAtMs,
        });
      case 'digits-sent':
        this.#onDigitsSent.shift()?.(event.ok);
        return;
      case 'barge-in':
        return this.#deps.metrics.bargeIn();
      case 'false-interruption':
        return this.#deps.metrics.falseInterruption();
      case 'phase': {
        const live = LIVE_STATES[event.phase];
        if (live) this.#record.state(live);
        return;
      }
      case 'latency':
        this.#deps.metrics.turnLatency(event.ms);
        return this.#record.latency(event.ms);
      case 'amd':
        return this.#step({ type: 'amd-verdict', verdict: event.verdict });
      case 'beep':
        return this.#step({ type: 'beep' });
      case 'media-lost':
        return this.#step({ type: 'media-lost', reason: event.reason });
      case 'socket-joined':
        return this.#step({ type: 'socket-joined' });
      case 'model-failed':
        this.#deps.metrics.modelFailed(event.model);
        this.#log.warn({ model: event.model, error: event.message }, 'model failed');
        return;
      case 'recording-failed':
        this.#log.error({ error: event.message }, 'the recording broke off, the call goes on');
        return;
      case 'call-failed':
        this.#log.error({ error: event.message }, 'the call failed in its shard');
        return this.#step({ type: 'call-failed' });
      case 'closed':
        this.#stats = event.stats;
        return this.#step({ type: 'audio-closed', recordingPath: event.recordingPath, recordedMs: event.recordedMs });
      case 'ready':
      case 'pacing':
        return;
      default:
        return unreachable(event);
    }
  }

  #onCommitted(epoch: number, cause: ReplyCause): void {
    this.#causes.set(epoch, cause);
    if (cause.kind !== 'turn') return;
    this.#step({ type: 'caller-spoke' });
    this.#record.add({ speaker: 'caller', text: cause.text.trim() || UNINTELLIGIBLE, timestamp: cause.startedAtMs });
  }

  #onHeard(event: Extract<ShardEvent, { type: 'reply-heard' }>): void {
    const { epoch, text, interrupted } = event;
    const cause = this.#causes.get(epoch);
    this.#causes.delete(epoch);
    if (text.trim() !== '') this.#record.add({ speaker: 'agent', text: text.trim(), timestamp: event.startedAtMs });
    if (cause?.kind === 'turn' && cause.understood && text.trim() !== '') this.#step({ type: 'exchange-done' });
    this.#dialogue.replyHeard(epoch, text, interrupted);
    if (cause?.kind === 'requested' && cause.request.kind === 'say') this.#step({ type: 'message-left' });
  }

  #onAction(action: ToolAction): void {
    switch (action.type) {
      case 'end-call': {
        const { reason } = action;
        return this.#step({
          type: 'goodbye-said',
          reason: reason === 'idle' || reason === 'model_failure' ? reason : 'agent_hangup',
        });
      }
      case 'transfer':
        return this.#step({ type: 'transfer-requested', target: action.target });
      default:
        return unreachable(action);
    }
  }

  #tellBrowser(change: RecordChange): void {
    // Who has the floor the shard tells the browser itself, without a detour.
    if (change.type === 'state') return;
    const message = { type: 'transcript', ...change.entry };
    this.#deps.shards.send({ type: 'socket-text', callId: this.callId, text: JSON.stringify(message) });
  }

  #startTransfer(target: string): void {
    const { medium, call, setup } = this.#options;
    this.#transfer = new Transfer({
      callId: call.id,
      target,
      leg: this.#leg,
      telephony: this.#deps.telephony,
      shards: this.#deps.shards,
      trunks: () =>
        medium.kind === 'outbound' ? Promise.resolve(medium.trunkIds) : this.#deps.trunksFor(call.phoneNumberId),
      from: medium.kind === 'outbound' ? call.fromNumber : call.toNumber,
      announcement: announcement(setup.agent.name, setup.business.name, call.callerName),
      open: {
        turn: turnConfig(setup.business),
        voice: callVoice(setup),
        vocabulary: vocabulary(setup),
      },
      storeDialog: (dialog) =>
        this.#deps.writer.runDurably('storeDialog', { callId: call.id, leg: 'human', dialog, nowMs: this.#deps.now() }),
      onOutcome: (result) => {
        if (result === 'referred' || result === 'bridged') this.#tellTransfer();
        this.#step({ type: 'transfer-outcome', result });
      },
      onHumanGone: () => this.#step({ type: 'goodbye-said', reason: 'agent_hangup' }),
      log: this.#log,
    });
    this.#transfer.start();
  }

  /** `call.transferred`, once. */
  #tellTransfer(): void {
    if (this.#isTransferTold) return;
    this.#isTransferTold = true;
    this.#durably('markTransferred', { callId: this.callId, nowMs: this.#deps.now() });
  }

  /** Who waits to be put through is silent for a reason: they are neither asked whether they are there nor hung up on. */
  #keepWaiting(epoch: number): void {
    const { shards } = this.#deps;
    const callId = this.callId;
    shards.send({ type: 'speak', callId, epoch, index: 0, text: STILL_CONNECTING, interruptible: true });
    shards.send({ type: 'reply-complete', callId, epoch });
  }

  /** The key that was offered for it: the wish is durable before the call ends. */
  #optOutByDigit(digits: string): void {
    const { call, setup, medium } = this.#options;
    const said = this.#record.transcript.filter((entry) => entry.speaker === 'agent').map((entry) => entry.text);
    const offers = [setup.business.greetingTemplate, setup.campaign.voicemailMessage, ...said];
    if (medium.kind === 'web' || !digits.includes(OPT_OUT_DIGIT) || !offersOptOut(offers)) return;
    const phoneNumber = medium.kind === 'outbound' ? call.toNumber : call.fromNumber;
    this.#dialogue.toolsUsed.push('opt_out');
    this.#deps.writer
      .runDurably('optOut', {
        accountId: call.accountId,
        phoneNumber,
        callId: call.id,
        source: 'digits',
        reason: `pressed ${OPT_OUT_DIGIT}`,
        nowMs: this.#deps.now(),
      })
      .then(() => this.#step({ type: 'goodbye-said', reason: 'agent_hangup' }))
      .catch((error: unknown) => this.#log.error({ error: messageOf(error) }, 'opt-out not written'));
  }

  #leaveMessage(): void {
    const message = this.#options.setup.campaign.voicemailMessage;
    if (message === null) return this.#step({ type: 'message-left' });
    this.#deps.shards.send({ type: 'request-reply', callId: this.callId, request: { kind: 'say', text: message } });
  }

  /** As telephone events; where the peer takes none, by SIP INFO. */
  #sendDigits(digits: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#onDigitsSent.push((ok) => {
        if (!ok) this.#leg?.sendInfoDigits(digits);
        resolve(ok || this.#leg !== null);
      });
      this.#deps.shards.send({ type: 'send-digits', callId: this.callId, digits });
    });
  }

  #armTimer(timer: CallTimer, serial: number, atMs: number): void {
    clearTimeout(this.#timers.get(timer));
    this.#timers.set(
      timer,
      setTimeout(
        () => {
          this.#timers.delete(timer);
          this.#step({ type: 'timer-fired', timer, serial });
        },
        Math.max(0, atMs - this.#deps.now()),
      ),
    );
  }

  async #writeTerminal(terminal: CallTerminal): Promise<void> {
    this.#dialogue.close();
    this.#record.finish();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    // The peer hung up on an accepted REFER without a word on how it went.
    if (terminal.endReason === 'transfer') this.#tellTransfer();
    await writeTerminal(
      this.#deps,
      this.#options,
      terminal,
      {
        transcript: this.#record.transcript,
        turnLatenciesMs: this.#stats?.turnLatenciesMs ?? [],
        toolsUsed: this.#dialogue.toolsUsed,
        booked: this.#dialogue.booked,
        isMachine: this.#isMachine,
      },
      this.#log,
    );
    this.#options.onEnded(terminal);
  }

  #durably<N extends 'markAnswered' | 'markStarted' | 'markTransferred' | 'storeDialog' | 'createInboundCall'>(
    name: N,
    args: Parameters<Writer['runDurably']>[1],
  ): void {
    this.#deps.writer.runDurably(name, args as never).catch((error: unknown) => {
      this.#log.error({ operation: name, error: messageOf(error) }, 'write lost');
    });
  }
}

type DistributiveOmit<T, K extends keyof never> = T extends unknown ? Omit<T, K> : never;
type CallEventBody = DistributiveOmit<CallEvent, 'nowMs'>;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function unreachable(value: never): never {
  throw new Error(`unhandled ${JSON.stringify(value)}`);
}

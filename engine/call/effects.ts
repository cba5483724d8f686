// Performs the effects of the call machine: on the leg, the shard, the dialogue, the record and the database.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type CallTerminal, unserved } from '../../db/domain/calls/outcome.ts';
import type { BilledEngines } from '../../db/domain/cost/uses.ts';
import type { RedactionRules } from '../../db/domain/redaction/find.ts';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import { clausesOf } from '../dialogue/clause-splitter.ts';
import type { OpenCall, ShardEvent } from '../shard/protocol.ts';
import type { InboundLeg, Leg, LocalAudio } from '../sip/telephony.ts';
import { usesAtEnd } from './call-uses.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';
import { type Conversation, conversationAtEnd } from './conversation-at-end.ts';
import { writeCallEnd } from './end.ts';
import { withoutSilence } from './going-on/gap.ts';
import { dialRequest } from './going-on/ringing.ts';
import type { CallEffect, CallReport } from './machine.ts';
import type { Ground, Held, Parts } from './parts.ts';
import { fallSilent, speakAgain } from './persons/person-speaks.ts';
import { privateParts, silencePrivate } from './private-audio.ts';
import {
  greeting,
  inboundRow,
  redactionOf,
  speechSetup,
  speechToSpeechOf,
  spokenBy,
  voicemailMessage,
} from './setup.ts';

interface EffectsListener {
  step(report: CallReport): void;
  listen(leg: Leg): void;
  onShardEvent(event: ShardEvent): void;
  /** The journal has the call from now on. */
  follow(): void;
}

export class CallEffects {
  readonly #deps: ConductorDeps;
  readonly #options: ConductorOptions;
  readonly #log: Logger;
  readonly #parts: Parts;
  readonly #held: Held;
  readonly #do: EffectsListener;
  /** As they were when the call began. */
  readonly #billed: BilledEngines | null;

  constructor({ deps, options, log, held }: Ground, parts: Parts, listener: EffectsListener) {
    this.#deps = deps;
    this.#options = options;
    this.#log = log;
    this.#parts = parts;
    this.#held = held;
    this.#do = listener;
    this.#billed = deps.billedEngines?.() ?? null;
  }

  perform(effect: CallEffect): void {
    switch (effect.type) {
      case 'write-row':
        return this.#parts.writes.enqueue('createInboundCall', inboundRow(this.#options, this.#deps.clock.nowMs()));
      case 'open-audio':
        return this.openAudio();
      case 'connect-audio':
        return this.#parts.audio.send({ type: 'connect', audio: effect.audio });
      case 'close-audio':
        this.#parts.record.state('ended');
        // A browser call has no leg to hang up, but may have a transfer target's leg.
        this.#parts.transfers.close();
        this.#parts.controls.close();
        return this.#parts.audio.send({ type: 'close' });
      case 'ring-leg':
        return this.#inbound(effect).ring();
      case 'answer-leg':
        this.#held.facts.port = effect.port;
        return this.#inbound(effect).answer(this.#parts.audio.at(effect));
      case 'dial-leg':
        this.#held.facts.port = effect.port;
        return this.#dial(this.#parts.audio.at(effect));
      case 'hang-up-leg':
        // An outbound leg that could not be dialled is absent.
        return this.#held.leg?.hangUp();
      case 'write-answered':
        this.#held.facts.answeredAtMs = this.#deps.clock.nowMs();
        return this.writeAnswered();
      case 'start-dialogue':
        this.#parts.record.timings.begin();
        this.#held.facts.began = { atMs: this.#deps.clock.monotonicMs(), sharedAtMs: sharedClockMs() };
        this.#do.follow();
        return this.#parts.audio.send({ type: 'answered' });
      case 'stop-dialogue':
        return this.#parts.dialogue.close();
      case 'transfer':
        this.#parts.controls.makeWay();
        return this.#parts.transfers.start(effect.target, effect.wish);
      case 'end-transfer':
        return this.#parts.audio.request({ kind: 'note', note: this.#parts.transfers.end() });
      case 'listen-to-both':
        return fallSilent(this.#parts);
      case 'return-to-caller':
        this.#parts.transfers.personLeft();
        return speakAgain(this.#parts);
      case 'warn-limit':
        return this.#parts.audio.request({
          kind: 'note',
          note: { kind: 'limit-near', remainingMs: effect.remainingMs },
        });
      case 'await-beep':
        this.#held.facts.isMachine = true;
        return this.#parts.dialogue.mute();
      case 'leave-message':
        return this.#leaveMessage();
      case 'arm-timer':
        return this.#parts.timers.arm(effect.timer, effect.serial, effect.delayMs);
      case 'cancel-timer':
        return this.#parts.timers.cancel(effect.timer);
      case 'write-terminal':
        void this.#finish(effect.terminal);
        return;
      default:
        return unreachable(effect);
    }
  }

  writeAnswered(): void {
    this.#parts.writes.enqueue('markAnswered', {
      callId: this.#options.call.id,
      recordingPath: this.#held.facts.recordingPath,
      recordingState: this.#deps.recordingState ?? null,
      nowMs: this.#held.facts.answeredAtMs ?? this.#deps.clock.nowMs(),
    });
  }

  /** @throws if the machine asks another medium for an action that only an inbound leg has */
  #inbound({ type }: CallEffect): InboundLeg {
    const { medium } = this.#options;
    if (medium.kind !== 'inbound' || !medium.leg) throw new Error(`${type} in an ${medium.kind} call`);
    return medium.leg;
  }

  openAudio(resume?: OpenCall['resume']): void {
    const { call, setup } = this.#options;
    const { dialogue } = this.#deps;
    const { speechModel } = this;
    // The connection to the model opens while the phone rings and the greeting plays; a server near by reads the
    // instructions meanwhile.
    dialogue.warm?.(speechModel === null ? () => this.#parts.dialogue.briefing : undefined);
    this.#parts.dialogue.tools.account.warm();
    const records = setup.campaign.recordingEnabled === 1 || this.#deps.recordsAll === true;
    this.#held.facts.recordingPath = records ? join(this.#deps.recordingsDir, `${call.id}.wav`) : null;
    this.#parts.audio.open(this.#held.facts.recordingPath, this.#do.onShardEvent, {
      ...(resume ? { resume } : {}),
      ...(speechModel ? { speechModel } : {}),
    });
    const openings = this.#deps.openings?.of(spokenBy(setup.agent)).known ?? [];
    const { groupHeard } = phrasesFor(setup.agent.language).call;
    const said = clausesOf(greeting(this.#options, this.#deps, this.#deps.clock.nowMs()));
    const texts = [...said, groupHeard, ...openings];
    this.#parts.audio.send({ type: 'prepare-speech', texts });
  }

  /** The session that the shard is to open; null: the cascade answers. */
  get speechModel(): NonNullable<OpenCall['speechModel']> | null {
    const { setup } = this.#options;
    const model = speechToSpeechOf(this.#deps, setup);
    return model && { ...model, setup: speechSetup(this.#parts.dialogue.briefing, this.#parts.languages.setup) };
  }

  #dial(audio: LocalAudio): void {
    const { medium } = this.#options;
    if (medium.kind !== 'outbound') throw new Error(`dial-leg in an ${medium.kind} call`);
    const callId = this.#options.call.id;
    try {
      const request = dialRequest(this.#options, medium.trunkIds, audio, async (dialog) => {
        // The dialog is stored before its INVITE leaves, so that a crash never leaves a callee on a dead line.
        await this.#parts.writes.run('storeDialog', { callId, leg: 'peer', dialog, nowMs: this.#deps.clock.nowMs() });
        this.#parts.entry.changed();
      });
      const leg = this.#deps.telephony.dial(request);
      this.#parts.writes.enqueue('markStarted', { callId, type: 'call.started', nowMs: this.#deps.clock.nowMs() });
      this.#do.listen(leg);
      this.#do.follow();
    } catch (error) {
      const reason = messageOf(error);
      this.#log.warn({ error: reason }, 'the call could not be dialled');
      this.#do.step({
        type: 'leg-ended',
        end: { by: 'network', sipStatus: null, q850Cause: null, reason, rang: false },
      });
    }
  }

  #leaveMessage(): void {
    const message = voicemailMessage(this.#options);
    if (message === '') return this.#do.step({ type: 'message-left' });
    this.#parts.audio.request({ kind: 'say', text: message });
  }

  async #finish(end: CallTerminal): Promise<void> {
    const { failed, tools, wantsCallBack } = this.#parts.dialogue;
    const served = failed.isServed || wantsCallBack || tools.booked.length > 0 ? end : unserved(end);
    const terminal = withoutSilence(served, this.#held.taken, this.#parts.reports.stats);
    this.#parts.dialogue.close();
    this.#parts.keys.close();
    this.#parts.languages.close();
    this.#parts.timers.cancelAll();
    // The peer hung up after accepting a REFER, without reporting the result.
    if (terminal.endReason === 'transfer') this.#parts.transfers.report();
    await this.#held.saidBefore;
    const conversation = conversationAtEnd({
      record: this.#parts.record,
      languages: this.#parts.languages,
      reports: this.#parts.reports,
      dialogue: this.#parts.dialogue,
      keys: this.#parts.keys,
      facts: this.#held.facts,
      uses: usesAtEnd(this.#deps, this.#options, this.#billed, {
        spending: this.#parts.dialogue.answers.spending,
        speech: this.#parts.reports.stats?.uses ?? null,
        fallbacks: this.#parts.reports.fallbacks,
        durationMs: terminal.durationMs,
        isResumed: this.#held.taken !== null,
      }),
    });
    const rules = redactionOf(this.#options, 'audio');
    const written = rules === null ? terminal : await this.#withoutPrivate(terminal, conversation, rules);
    const { writes } = this.#parts;
    await writeCallEnd(this.#deps, this.#options, { terminal: written, conversation }, { writes, log: this.#log });
    this.#parts.entry.forget();
    this.#options.onEnded(written, this.#parts.reports.closed);
  }

  /** Before anybody can hear the recording. One that is not complete yet cannot be silenced: nobody gets it. */
  async #withoutPrivate(
    terminal: CallTerminal,
    { transcript, timeline }: Conversation,
    rules: RedactionRules,
  ): Promise<CallTerminal> {
    const { recordingPath } = terminal;
    if (recordingPath === null) return terminal;
    if (recordingPath === undefined) {
      const path = this.#held.facts.recordingPath;
      const remove = async (): Promise<void> => {
        if (path !== null) await rm(path, { force: true });
      };
      this.#parts.reports.closed.then(remove).catch(() => undefined);
      return { ...terminal, recordingPath: null };
    }
    const cutsMs = (timeline?.resumptions ?? []).map(({ atMs }) => atMs);
    const isSilenced = await silencePrivate(recordingPath, privateParts(transcript, rules, cutsMs), this.#log);
    return isSilenced ? terminal : { ...terminal, recordingPath: null };
  }
}

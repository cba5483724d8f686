// A media shard: the audio and turn machines of up to about 200 calls. Every socket, timer and port callback of a call
// runs inside a guard, so that an exception ends only that call.

import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import { msToSamples } from '../../media/frame.ts';
import { Lateness } from '../../media/lateness.ts';
import { Pacer } from '../../media/pacer.ts';
import { Recorder } from '../../media/recorder.ts';
import { RtpPortError } from '../../media/rtp/ports.ts';
import { RtpTransport } from '../../media/rtp/rtp-transport.ts';
import { SocketTransport } from '../../media/socket/socket-transport.ts';
import { BrowserTransport } from '../../media/webrtc/browser-transport.ts';
import type { AudioPriority } from '../../models/workers/priority.ts';
import type { Clock } from '../clock.ts';
import type { NegotiatedAudio } from '../sip/telephony.ts';
import type { TurnPhase } from '../turn/machine.ts';
import { PHASE_STATES } from '../turn/phase-state.ts';
import { type CallSlot, newCallSlot, positionOf } from './call-slot.ts';
import { CallLines, type LineListener } from './door/call-lines.ts';
import { ListeningRooms } from './door/listening-rooms.ts';
import { SocketDoor } from './door/socket-door.ts';
import { HostedCall } from './hosted-call.ts';
import type { HostedCallEdge } from './hosted-call-edge.ts';
import { Joins } from './joins.ts';
import { ModelPorts } from './models/model-ports.ts';
import {
  type CallCommand,
  type MediaSocketOptions,
  NO_STATS,
  type OpenCall,
  type ShardCommand,
  type ShardEvent,
  type ShardTask,
} from './protocol.ts';
import { ShardReports } from './shard-reports.ts';

/** Phones send a packet every 20 ms; one that saves silence is asked once in vain. */
const PEER_SILENT_MS = 1_500;
/** A later VAD judgement delays turns and interruptions. */
const LATE_WINDOW_MS = 50;
// Binding takes about 1 ms; a connect, an answer and a close may arrive in that time.
const MAX_WAITING_COMMANDS = 64;

export class Shard {
  readonly #task: ShardTask;
  readonly #clock: Clock;
  readonly #pacer: Pacer;
  readonly #models: ModelPorts;
  readonly #slots = new Map<string, CallSlot>();
  readonly #joins = new Joins(this.#slots);
  readonly #door: SocketDoor;
  readonly #lines: CallLines;
  readonly #listening: ListeningRooms;
  readonly #monotonicMs: () => number;
  readonly #vadLateness = new Lateness(LATE_WINDOW_MS);
  readonly reports: ShardReports;
  #onIdle: (() => void) | null = null;
  #mediaSocket: MediaSocketOptions | null;
  #priority: AudioPriority = 'usual';

  constructor(task: ShardTask, clock: Clock) {
    this.#task = task;
    this.#mediaSocket = task.mediaSocket;
    this.#clock = clock;
    const phaseMs = task.tickPhaseMs - (sharedClockMs() - clock.monotonicMs());
    this.#pacer = new Pacer(clock, setImmediate, () => this.#models.ringVad(), phaseMs);
    this.#listening = new ListeningRooms(clock, (event) => this.#emit(event));
    this.#door = new SocketDoor(clock, this.#listening);
    this.#monotonicMs = () => clock.monotonicMs();
    this.#lines = new CallLines({
      ...{ task, door: this.#door, monotonicMs: this.#monotonicMs },
      doorHost: () => this.#mediaSocket?.host ?? '',
    });
    this.reports = new ShardReports({
      ...{ shardIndex: task.shardIndex, slots: this.#slots, pacer: this.#pacer, vadLateness: this.#vadLateness },
      monotonicMs: this.#monotonicMs,
      emit: (event) => this.#emit(event),
      guard: (callId, action) => this.#guard(callId, action),
    });
    this.#models = new ModelPorts(task, (client, action) => this.#guard(client.callId, action), task.shardIndex);
  }

  receive(command: ShardCommand): void {
    switch (command.type) {
      case 'open':
        void this.#open(command);
        return;
      case 'model-port':
        this.#models.replace(command.model, command.index, command.port);
        return;
      case 'model-ports':
        this.#models.renew(command.model, command.ports);
        return;
      case 'open-door':
        void this.#openDoor(command.mediaSocket);
        return;
      case 'leave':
        void this.#leave();
        return;
      case 'expect-listener':
      case 'end-listener':
      case 'tell-listeners':
      case 'take-microphone':
      case 'end-listening':
        this.#listening.receive(command);
        return;
      case 'stop':
        return;
      default:
        this.#toCall(command);
    }
  }

  /** Opens the door for browsers and audio forks, if this shard has it. @throws the error of `listen` */
  async start(priority: AudioPriority): Promise<void> {
    const { control, shardIndex } = this.#task;
    this.#priority = priority;
    const mediaSocket = this.#mediaSocket;
    // A fault behind the door concerns one socket, which is then closed; its call gets `left`.
    if (mediaSocket) await this.#door.open(mediaSocket, () => undefined);
    control.postMessage({ type: 'ready', shardIndex, socket: this.#door.socket, priority } satisfies ShardEvent);
  }

  async #openDoor(mediaSocket: MediaSocketOptions): Promise<void> {
    this.#mediaSocket = mediaSocket;
    try {
      await this.start(this.#priority);
    } catch (error) {
      this.#emit({ type: 'door-failed', message: stackOf(error) });
    }
  }

  async #leave(): Promise<void> {
    this.reports.pulse();
    for (const { call, transport, recorder } of this.#slots.values()) {
      if (call) this.#pacer.leave(call.audio);
      if (transport instanceof RtpTransport || transport instanceof SocketTransport) transport.leave();
      void recorder?.leave();
    }
    this.#listening.close(1012, 'ask again');
    await this.#door.close();
    this.#emit({ type: 'left', shardIndex: this.#task.shardIndex });
  }

  /** Ends every call and waits until their recordings are complete. */
  async stop(): Promise<void> {
    for (const callId of [...this.#slots.keys()]) this.#close(callId);
    if (this.#slots.size > 0)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    await this.#door.close();
    this.#models.stop();
  }

  #emit(event: ShardEvent): void {
    this.#task.control.postMessage(event);
  }

  #guard(callId: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#fail(callId, error);
    }
  }

  async #open(command: OpenCall): Promise<void> {
    const { callId } = command;
    if (this.#slots.has(callId)) return;
    const slot = newCallSlot(command);
    this.#slots.set(callId, slot);
    try {
      const { transport, address, port } = await this.#lines.open(command, this.#lineListener(callId));
      slot.transport = transport;
      slot.call = new HostedCall(command, transport, this.#edge(callId));
      slot.call.hold(transport.held);
      this.#emit({ type: 'opened', callId, address, port });
    } catch (error) {
      slot.transport?.close(this.#clock.nowMs());
      this.#slots.delete(callId);
      const code = error instanceof RtpPortError ? error.code : 'SOCKET_FAILED';
      this.#emit({ type: 'open-failed', callId, code, message: stackOf(error) });
      this.#checkIdle();
      return;
    }
    for (const waiting of slot.waiting.splice(0)) this.#toCall(waiting);
    for (const bridge of this.#joins.awaiting(callId)) this.#toCall(bridge);
    if (slot.closing) this.#close(callId);
  }

  #lineListener(callId: string): LineListener {
    const callOf = () => this.#slots.get(callId)?.call;
    return {
      digit: (digit) => this.#guard(callId, () => callOf()?.digit(digit)),
      joined: () => this.#guard(callId, () => this.#joined(callId)),
      gone: (reason) => this.#emit({ type: 'media-lost', callId, reason }),
      pathTaken: (path) => {
        this.#emit({ type: 'audio-path', callId, path });
        this.#tellBrowser(callId, callOf()?.phase ?? 'waiting');
      },
      failed: (error) => this.#fail(callId, error),
      guard: (action) => this.#guard(callId, action),
    };
  }

  #joined(callId: string): void {
    this.#emit({ type: 'socket-joined', callId });
    const slot = this.#slots.get(callId);
    if (!slot?.call?.answered) return;
    // It was here before, and has missed what was told meanwhile.
    slot.call.hold(slot.call.audio.isAway);
    this.#tellBrowser(callId, slot.call.phase);
  }

  #edge(callId: string): HostedCallEdge {
    return {
      models: this.#models,
      vadLateness: this.#vadLateness,
      emit: (event) => {
        this.#emit(event);
        if (event.type === 'phase') this.#tellBrowser(callId, event.phase);
      },
      clock: {
        nowMs: () => this.#clock.nowMs(),
        monotonicMs: this.#monotonicMs,
        after: (delayMs, fire) => this.#clock.after(delayMs, () => this.#guard(callId, fire)),
      },
      fail: (error) => this.#fail(callId, error),
    };
  }

  #tellBrowser(callId: string, phase: TurnPhase): void {
    const transport = this.#slots.get(callId)?.transport;
    if (!(transport instanceof SocketTransport)) return;
    const audio = transport instanceof BrowserTransport ? { audio: transport.path } : {};
    transport.sendText(JSON.stringify({ type: 'state', state: PHASE_STATES[phase], ...audio }));
  }

  #toCall(command: CallCommand): void {
    const slot = this.#slots.get(command.callId);
    if (!slot) return;
    if (command.type === 'close') {
      this.#close(command.callId);
      return;
    }
    if (command.type === 'watch') {
      slot.told.watch(this.#monotonicMs() + command.forMs);
      return;
    }
    const { call } = slot;
    if (!call) {
      if (slot.waiting.length < MAX_WAITING_COMMANDS) slot.waiting.push(command);
      return;
    }
    this.#guard(command.callId, () => {
      switch (command.type) {
        case 'connect':
          this.#connect(slot, call, command.audio);
          return;
        case 'answered':
          this.#answer(slot, call);
          return;
        case 'socket-text':
          if (slot.transport instanceof SocketTransport) slot.transport.sendText(command.text);
          return;
        case 'bridge':
          return this.#joins.bridge(slot, call, command.otherCallId, command.hears === true);
        case 'whisper':
          return this.#joins.whisper(call, command.otherCallId);
        case 'unbridge':
          return this.#joins.part(slot, call);
        case 'hold-music':
          call.audio.holdMusic(command.isOn, command.own);
          return;
        case 'prepare-speech':
          if (!call.answered && slot.prepared.length < MAX_WAITING_COMMANDS) slot.prepared.push(command);
          call.command(command);
          return;
        default:
          call.command(command);
      }
    });
  }

  #connect(slot: CallSlot, call: HostedCall, audio: NegotiatedAudio): void {
    const { transport } = slot;
    if (!(transport instanceof RtpTransport)) return;
    transport.connect(audio);
    const current = call.audio.sampleRateHz === transport.sampleRateHz ? call : this.#reopen(slot, call, transport);
    current.hold(current.audio.isAway || transport.held);
  }

  /** The codec has another rate than expected. Nothing was said or heard yet, so the call is built again. */
  #reopen(slot: CallSlot, call: HostedCall, transport: RtpTransport): HostedCall {
    call.retire();
    slot.command = { ...slot.command, sampleRateHz: transport.sampleRateHz };
    const reopened = new HostedCall(slot.command, transport, this.#edge(call.callId));
    for (const command of slot.prepared) reopened.command(command);
    slot.call = reopened;
    return reopened;
  }

  #answer(slot: CallSlot, call: HostedCall): void {
    if (call.answered) return;
    const { recordingPath, sampleRateHz, resume } = slot.command;
    const positionMs = resume ? positionOf(resume) : 0;
    if (recordingPath !== null) {
      slot.recorder = new Recorder({
        path: recordingPath,
        sampleRateHz,
        ...(resume ? { resumeAtSamples: msToSamples(positionMs, sampleRateHz) } : {}),
        onFault: ({ message }) => this.#emit({ type: 'recording-failed', callId: call.callId, message }),
      });
    }
    call.answer(slot.recorder, positionMs);
    this.#pacer.join(call.audio);
    if (resume?.hasHeard) this.#clock.after(PEER_SILENT_MS, () => this.#noticeSilence(slot, call));
  }

  #noticeSilence({ transport }: CallSlot, call: HostedCall): void {
    const { callId } = call;
    if (this.#slots.get(callId)?.call !== call || !transport || transport.held) return;
    if (transport.stats().packetsReceived === 0) this.#emit({ type: 'peer-silent', callId });
  }

  /** Ends a call whose own code threw. `closed` follows when the control thread sends `close`. */
  #fail(callId: string, error: unknown): void {
    const slot = this.#slots.get(callId);
    const call = slot?.call;
    if (!slot || !call) return;
    slot.call = null;
    this.#door.forget(callId);
    this.#pacer.leave(call.audio);
    try {
      call.abandon();
    } catch {
      // Its sockets are closed by now, or caused the fault; nothing refers to it any more.
    }
    this.#emit({ type: 'call-failed', callId, message: stackOf(error) });
  }

  #close(callId: string): void {
    const slot = this.#slots.get(callId);
    if (!slot) return;
    if (!slot.transport) {
      slot.closing = true;
      return;
    }
    if (slot.closing && !slot.call) return;
    const { call } = slot;
    this.#door.forget(callId);
    if (call) {
      this.#pacer.leave(call.audio);
      this.#guard(callId, () => call.end());
    }
    slot.closing = true;
    const stats = call?.stats ?? NO_STATS;
    slot.call = null;
    const finish = (recordingPath: string | null, recordedMs: number) => {
      this.#slots.delete(callId);
      this.#emit({ type: 'closed', callId, recordedMs, recordingPath, stats });
      this.#checkIdle();
    };
    if (slot.recorder) void slot.recorder.close().then(({ path, durationMs }) => finish(path, durationMs));
    else finish(null, 0);
  }

  #checkIdle(): void {
    if (this.#slots.size === 0) this.#onIdle?.();
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// One call over the browser's microphone, the engine's socket, and WebRTC beside it: the same for the dashboard and
// for the widget of web sites. It knows nothing of who places the call, nor of how it is shown.
import type { CallEvent } from '../live/conversation.ts';
import { CallMedia } from './call-media.ts';
import { CallSocket } from './call-socket.ts';
import { type AudioPath, openAudioPath, openMicrophone } from './microphone.ts';

interface CallLineOptions {
  /** Address of the script of the browser's audio thread. */
  worklet: string;
  /** Places the call, once there is a microphone. The signal is aborted when the line ends. */
  place: (signal: AbortSignal) => Promise<{ socketUrl: string; iceServers?: RTCIceServer[] }>;
}

interface CallLineListener {
  onPhase: (phase: 'microphone' | 'connecting' | 'talking') => void;
  onEvent: (event: CallEvent) => void;
  /** The line was lost, and is joined again; or it is back. */
  onLost: (isLost: boolean) => void;
  /** Null: somebody has ended it. Told once, and nothing after it. */
  onEnd: (fault: unknown) => void;
}

/** The engine's socket cannot be reached from here. */
export class LineUnreachable extends Error {
  readonly host: string;

  constructor(socketUrl: string) {
    const { host } = new URL(socketUrl);
    super(`The audio socket at ${host} cannot be reached`);
    this.host = host;
  }
}

export class CallLine {
  readonly #options: CallLineOptions;
  readonly #listener: CallLineListener;
  readonly #over = new AbortController();
  #socket: CallSocket | null = null;
  #audio: AudioPath | null = null;
  #media: CallMedia | null = null;
  #isMuted = false;

  constructor(options: CallLineOptions, listener: CallLineListener) {
    this.#options = options;
    this.#listener = listener;
  }

  /** Asks for the microphone, places the call and joins it; a fault is told to the listener. */
  async start(): Promise<void> {
    const { worklet, place } = this.#options;
    const { signal } = this.#over;
    let microphone: MediaStream | null = null;
    try {
      this.#listener.onPhase('microphone');
      microphone = await openMicrophone();
      signal.throwIfAborted();
      this.#listener.onPhase('connecting');
      this.#audio = await openAudioPath(microphone, worklet, (pcm) => this.#media?.hear(pcm));
      signal.throwIfAborted();
      this.#audio.mute(this.#isMuted);
      const { socketUrl, iceServers = [] } = await place(signal);
      signal.throwIfAborted();
      this.#media = new CallMedia({ microphone, iceServers, send: (data) => this.#socket?.send(data) });
      this.#join(socketUrl, this.#media);
    } catch (fault) {
      for (const track of microphone?.getTracks() ?? []) track.stop();
      this.#end(fault);
      this.#closeAudio();
    }
  }

  get isLost(): boolean {
    return this.#socket?.isLost === true;
  }

  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    this.#audio?.mute(isMuted);
  }

  /** The loudest recent sample of the microphone, 0 to 1. */
  level(): number {
    return this.#isMuted ? 0 : (this.#audio?.level() ?? 0);
  }

  /** A key of the telephone: 0 to 9, `*`, `#`. */
  press(digit: string): void {
    this.#socket?.send(JSON.stringify({ type: 'digit', digit }));
  }

  /** Hangs up. */
  end(): void {
    this.#end(null);
  }

  #join(socketUrl: string, media: CallMedia): void {
    this.#socket = new CallSocket(socketUrl, {
      onJoined: () => {
        media.offer();
        this.#listener.onPhase('talking');
      },
      onMessage: (data) => {
        if (data instanceof ArrayBuffer) return this.#audio?.play(data);
        const event = JSON.parse(data);
        if (!media.take(event)) this.#listener.onEvent(event as CallEvent);
      },
      onLost: (isLost) => {
        if (!isLost) media.offer();
        this.#listener.onLost(isLost);
      },
      onEnd: (hasJoined) => this.#end(hasJoined ? null : new LineUnreachable(socketUrl)),
    });
  }

  #end(fault: unknown): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#socket?.close();
    this.#media?.close();
    this.#closeAudio();
    this.#listener.onEnd(fault);
  }

  /** Also of a line that was ended while its audio was opened. */
  #closeAudio(): void {
    this.#audio?.close();
    this.#audio = null;
  }
}

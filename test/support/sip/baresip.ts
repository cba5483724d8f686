// baresip as an independent softphone: a WAV is its microphone, what it hears is recorded.
import type { BaresipCodec } from './baresip-codecs.ts';
import { type BaresipResult, runBaresip } from './baresip-run.ts';

interface BaresipCall {
  /** Seconds until baresip quits; it hangs up first. */
  seconds: number;
  target: string;
  /** PCM16 at 8 kHz, played after `leadMs` of silence. */
  microphone: Int16Array;
  leadMs: number;
  /** User part of its address; `tester` if left out. */
  user?: string;
  /** The only offered codec; PCMU if left out. */
  codec?: BaresipCodec;
  /** Keys by SDP or by DTLS, or nothing; clear speech if left out. */
  encryption?: 'srtp-mand' | 'dtls_srtp';
}

/** Calls `target`, speaks, hangs up after `seconds`. */
export function callWithBaresip({
  target,
  encryption,
  user = 'tester',
  codec = 'PCMU',
  ...call
}: BaresipCall): Promise<BaresipResult> {
  return runBaresip({
    ...call,
    port: 0,
    user,
    codec,
    parameters: encryption === undefined ? '' : `mediaenc=${encryption};`,
    modules: ['srtp', 'dtls_srtp'],
    args: ['-e', `/dial ${target}`],
  }).done;
}

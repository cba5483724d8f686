// How a command describes itself: the parser, the help and the completion of shells are made of this alone.
import type { Client } from '../typescript/client.ts';
import type { Output } from './output.ts';
import type { Environment } from './profiles.ts';

export interface Option {
  about: string;
  /** The name of its value; without one it is a switch. */
  value?: string;
  /** All that its value may be. */
  choices?: readonly string[];
  /** Its value names a file. */
  isFile?: boolean;
}

interface Argument {
  name: string;
  about: string;
  isOptional?: boolean;
  isFile?: boolean;
}

/** Of this machine, and replaced in tests. */
export interface Surroundings {
  env: Environment;
  fetch: typeof fetch;
  pause(ms: number): Promise<void>;
  now(): number;
  /** A line from the terminal; null: nobody is there. */
  ask(question: string, options?: { isSecret?: boolean }): Promise<string | null>;
  /** All of the standard input. */
  read(): Promise<string>;
  /** Bytes to the standard output. */
  write(bytes: Uint8Array): Promise<void>;
  /** Plays a file; false: this machine has no player that is known. */
  play(file: string): Promise<boolean>;
}

export interface Run {
  client: Client;
  output: Output;
  args: Record<string, string>;
  options: Record<string, string>;
  has(option: string): boolean;
  surroundings: Surroundings;
  /** Of the service, as signed in. */
  url: string;
}

export interface Command {
  /** One or two words: `calls list`. */
  name: string;
  about: string;
  args?: readonly Argument[];
  options?: Readonly<Record<string, Option>>;
  examples: readonly string[];
  /** It needs no service. */
  isLocal?: boolean;
  /** The exit code; default: done. */
  run(run: Run): Promise<number | undefined>;
}

/** Of every command. */
export const COMMON: Readonly<Record<string, Option>> = {
  url: { value: 'URL', about: 'the service, in place of the profile (or VOICECTL_URL)' },
  token: { value: 'TOKEN', about: 'a personal access token (or VOICECTL_TOKEN)' },
  profile: { value: 'NAME', about: 'where to be signed in (or VOICECTL_PROFILE)' },
  json: { about: 'for programs: JSON in place of lines' },
  'no-color': { about: 'no colours (or NO_COLOR)' },
  help: { about: 'this text' },
};

// The versions of what a call runs by: each change of an agent, a business or a tool is one.
import type { Json } from './columns.ts';

export type VersionSubject = 'agent' | 'business' | 'tool';

export interface VersionTable {
  id: string;
  accountId: string;
  subject: VersionSubject;
  subjectId: string;
  /** From 1, in order of the changes of its subject. */
  number: number;
  /** The subject's record without what cannot be changed; never secrets. */
  content: Json;
  /** Id of the user; null for what was there before versions were kept. */
  actor: string | null;
  /** The version that was brought back. */
  restoredFrom: number | null;
  createdAt: number;
  /** The version that it was made from; null: the one before. */
  baseNumber: number | null;
  /** When it began to lead calls; null: it never did. */
  liveFrom: number | null;
  /** When it ceased to; null: it leads calls, or never did. */
  liveUntil: number | null;
}

/** Changes that no call obeys until they are published. */
export interface DraftTable {
  subjectId: string;
  accountId: string;
  subject: VersionSubject;
  /** Of its version. */
  number: number;
  /** The columns that were changed, as they will be; they may be sealed ones. */
  changes: Json;
  createdAt: number;
}

/** A version that leads a share of the calls until it is known whether it is worse than the published one. */
export interface CanaryTable {
  id: string;
  accountId: string;
  subject: 'agent' | 'business';
  subjectId: string;
  version: number;
  publishedVersion: number;
  /** The columns in which its subject's row differs; they may be sealed ones. */
  changes: Json;
  /** Of the calls, in per cent. */
  share: number;
  /** It is published after this many good ones. */
  calls: number;
  /** Id of the user who began it. */
  actor: string;
  createdAt: number;
  endedAt: number | null;
  result: 'promoted' | 'rolled_back' | 'stopped' | null;
  verdict: Json; // CanaryVerdict
}

// The messages between the bench and a peer's process.

export type PeerRequest =
  /** A call from a caller that listens on this port. */
  { type: 'open'; number: string; callerPort: number } | { type: 'close'; number: string };

export type PeerReply =
  | { type: 'ready' }
  | { type: 'opened'; number: string; port: number }
  /** The caller's turns in the peer's history. */
  | { type: 'closed'; number: string; turns: string[] }
  | { type: 'failed'; number: string; message: string };

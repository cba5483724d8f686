// What the bench and a peer's process say to each other.

export type PeerRequest =
  /** A caller that hears on this port calls. */
  { type: 'open'; number: string; callerPort: number } | { type: 'close'; number: string };

export type PeerReply =
  | { type: 'ready' }
  | { type: 'opened'; number: string; port: number }
  /** The caller's turns as the peer's history has them. */
  | { type: 'closed'; number: string; turns: string[] }
  | { type: 'failed'; number: string; message: string };

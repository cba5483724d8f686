// Schemas of calls that clients begin, and of what a browser needs to join its own.
import { type Static, Type } from 'typebox';
import { Metadata, Variables } from '../../frame/variables.ts';
import { CallRecord } from '../schema.ts';

export const CallCreate = Type.Object(
  {
    campaignId: Type.String({ minLength: 1 }),
    toNumber: Type.String({ description: 'E.164' }),
    fromPhoneNumberId: Type.String({ minLength: 1 }),
    variables: Type.Optional(Variables),
    metadata: Type.Optional(Metadata),
    scheduledAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Place it then; within the campaign’s callingWindow where the number rings',
      }),
    ),
  },
  { additionalProperties: false },
);
export type CallCreate = Static<typeof CallCreate>;

export const WebCallCreate = Type.Object(
  {
    campaignId: Type.String({ minLength: 1 }),
    variables: Type.Optional(Variables),
    metadata: Type.Optional(Metadata),
  },
  { additionalProperties: false },
);

export type WebCallCreate = Static<typeof WebCallCreate>;

export const IceServers = Type.Array(
  Type.Object({ urls: Type.Array(Type.String()), username: Type.String(), credential: Type.String() }),
  {
    description: 'Relays for WebRTC, as RTCPeerConnection takes them; valid for two hours. Empty: none are needed',
  },
);

export const WebCallRecord = Type.Object(
  {
    call: CallRecord,
    socketUrl: Type.String({ description: 'WebSocket of the call; its token is valid once, for 60 s' }),
    iceServers: IceServers,
  },
  { title: 'WebCall' },
);

// Converts a trunk to the values of its form, and back to a body of the interface.
import { TRUNK_DEFAULTS, type VoiceCodecName } from '../../../../../db/domain/trunk-defaults.ts';
import type { CreateTrunkBody, Trunk, UpdateTrunkBody } from '../../api-types.ts';

export interface TrunkValues {
  name: string;
  host: string;
  port: number | null;
  transport: Trunk['transport'];
  outboundProxy: string;
  fromDomain: string;
  username: string;
  password: string;
  authUsername: string;
  register: boolean;
  /** One network a line. */
  inboundAllow: string;
  country: string;
  inboundFormat: Trunk['inboundFormat'];
  dialFormat: Trunk['dialFormat'];
  dialPrefix: string;
  callerIdHeader: Trunk['callerIdHeader'];
  /** In the order of our offer. */
  codecs: VoiceCodecName[];
  srtp: boolean;
  optionsPing: boolean;
  acceptsRefer: boolean;
  maxConcurrentCalls: number | null;
  callsPerSecond: number | null;
  backupTrunkId: string | null;
}

export const NEW_TRUNK: TrunkValues = {
  name: '',
  host: '',
  port: TRUNK_DEFAULTS.port,
  transport: TRUNK_DEFAULTS.transport,
  outboundProxy: '',
  fromDomain: '',
  username: '',
  password: '',
  authUsername: '',
  register: false,
  inboundAllow: '',
  country: '',
  inboundFormat: TRUNK_DEFAULTS.inboundFormat,
  dialFormat: TRUNK_DEFAULTS.dialFormat,
  dialPrefix: '',
  callerIdHeader: TRUNK_DEFAULTS.callerIdHeader,
  codecs: [...TRUNK_DEFAULTS.codecs],
  srtp: false,
  optionsPing: true,
  acceptsRefer: true,
  maxConcurrentCalls: TRUNK_DEFAULTS.maxConcurrentCalls,
  callsPerSecond: TRUNK_DEFAULTS.callsPerSecond,
  backupTrunkId: null,
};

export function valuesOf(trunk: Trunk): TrunkValues {
  return {
    name: trunk.name,
    host: trunk.host,
    port: trunk.port,
    transport: trunk.transport,
    outboundProxy: trunk.outboundProxy ?? '',
    fromDomain: trunk.fromDomain ?? '',
    username: trunk.username ?? '',
    password: '',
    authUsername: trunk.authUsername ?? '',
    register: trunk.register,
    inboundAllow: trunk.inboundAllow.join('\n'),
    country: trunk.country ?? '',
    inboundFormat: trunk.inboundFormat,
    dialFormat: trunk.dialFormat,
    dialPrefix: trunk.dialPrefix ?? '',
    callerIdHeader: trunk.callerIdHeader,
    codecs: trunk.codecs as VoiceCodecName[],
    srtp: trunk.srtp,
    optionsPing: trunk.optionsPing,
    acceptsRefer: trunk.acceptsRefer,
    maxConcurrentCalls: trunk.maxConcurrentCalls,
    callsPerSecond: trunk.callsPerSecond,
    backupTrunkId: trunk.backupTrunkId,
  };
}

const TEXTS = ['outboundProxy', 'fromDomain', 'username', 'password', 'authUsername', 'country', 'dialPrefix'] as const;
const NUMBERS = ['port', 'maxConcurrentCalls', 'callsPerSecond'] as const;

/** The body of a change: empty text becomes null, an emptied number stays unchanged. */
export function bodyOf(changes: Partial<TrunkValues>): UpdateTrunkBody {
  const { inboundAllow, port, maxConcurrentCalls, callsPerSecond, ...others } = changes;
  const body: UpdateTrunkBody = { ...others };
  for (const name of TEXTS) {
    if (changes[name] !== undefined) body[name] = changes[name].trim() === '' ? null : changes[name].trim();
  }
  for (const name of NUMBERS) {
    if (changes[name] !== undefined && changes[name] !== null) body[name] = changes[name];
  }
  if (inboundAllow !== undefined) body.inboundAllow = inboundAllow.split(/[\s,]+/).filter(Boolean);
  return body;
}

export const newBodyOf = (values: TrunkValues, changes: Partial<TrunkValues>): CreateTrunkBody => ({
  ...bodyOf(changes),
  name: values.name,
  host: values.host,
});

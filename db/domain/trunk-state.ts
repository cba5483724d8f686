// Decides whether a trunk is down: a call over it would certainly fail, because its registration is refused or its
// OPTIONS are unanswered. A trunk with unknown state is not down.

export const REGISTRATION_STATES = ['off', 'registering', 'registered', 'failed'] as const;
export type RegistrationState = (typeof REGISTRATION_STATES)[number];

export const HEALTH_STATES = ['unknown', 'up', 'down'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Why the trunk is down; null if it is not. A refusal takes precedence over silence. */
export function trunkFault(registration: RegistrationState, health: HealthState): 'refused' | 'silent' | null {
  if (registration === 'failed') return 'refused';
  return health === 'down' ? 'silent' : null;
}

export const isDown = (registration: RegistrationState, health: HealthState): boolean =>
  trunkFault(registration, health) !== null;

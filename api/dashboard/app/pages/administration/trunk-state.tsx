// A trunk's registration and health as badges.
import type { Trunk } from '../../api-types.ts';
import { Badge, type Tone } from '../../ui/layout.tsx';

const REGISTRATION: Record<Trunk['registration']['state'], [Tone, string]> = {
  off: ['neutral', 'Does not register'],
  registering: ['live', 'Registering'],
  registered: ['good', 'Registered'],
  failed: ['bad', 'Registration refused'],
};
const HEALTH: Record<Trunk['health']['state'], [Tone, string]> = {
  unknown: ['neutral', 'Not checked yet'],
  up: ['good', 'Answers'],
  down: ['bad', 'Does not answer'],
};

export function TrunkState({ of: { registration, health } }: { of: Trunk }) {
  const [registrationTone, registrationText] = REGISTRATION[registration.state];
  const [healthTone, healthText] = HEALTH[health.state];
  return (
    <span class="row">
      <Badge tone={healthTone}>{healthText}</Badge>
      {registration.state !== 'off' && <Badge tone={registrationTone}>{registrationText}</Badge>}
    </span>
  );
}

// The tools that every agent has (engine/dialogue/tools/catalogue.ts): no tool of a tenant has one of these names.
const BUILT_IN_TOOLS = [
  'transfer_call',
  'end_call',
  'check_availability',
  'schedule_appointment',
  'find_own_appointments',
  'move_own_appointment',
  'cancel_own_appointment',
  'confirm_appointment',
  'schedule_callback',
  'opt_out',
  'send_digits',
  'collect_digits',
  'switch_language',
] as const;

export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];

export const isBuiltInTool = (name: string): boolean => (BUILT_IN_TOOLS as readonly string[]).includes(name);

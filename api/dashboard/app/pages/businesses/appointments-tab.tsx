// The tab “Appointments”: who takes them, the calendars that they are booked around, and the calendar that they are.
import { RemindersCard } from '../../appointments/reminders-card.tsx';
import { CalendarsCard } from '../../calendars/calendars-card.tsx';
import { FeedCard } from '../../calendars/feed-card.tsx';
import { StaffCard } from '../../calendars/staff-card.tsx';
import type { Form } from '../../form.ts';
import { AppointmentTextsCard } from './appointment-texts-card.tsx';
import type { BusinessValues } from './business-form.ts';

export function AppointmentsTab({ form }: { form: Form<BusinessValues> }) {
  const { values, set, faultOf } = form;
  return (
    <>
      <StaffCard
        resources={values.resources}
        bufferMinutes={values.bufferMinutes}
        onResources={(resources) => set('resources', resources)}
        onBuffer={(minutes) => set('bufferMinutes', minutes)}
        faultOf={faultOf}
      />
      <AppointmentTextsCard form={form} />
    </>
  );
}

/** Saved by themselves, beside the form. `resources`: the names that are saved. */
export function BusinessCalendars({ businessId, resources }: { businessId: string; resources: readonly string[] }) {
  return (
    <>
      <CalendarsCard businessId={businessId} resources={resources} />
      <FeedCard businessId={businessId} />
      <RemindersCard businessId={businessId} />
    </>
  );
}

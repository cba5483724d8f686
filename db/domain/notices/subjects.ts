// Subjects of notices that are about no call: a change of an appointment, or a calendar that was shut.

const CHANGE = /^(apt_\w{1,40})#(\d{1,4})$/;
const SHUT = /^(cal_\w{1,40})#/;

/** The change after which its history is that long. */
export const changeSubject = ({ id, history }: { id: string; history: readonly unknown[] }): string =>
  `${id}#${history.length}`;

/** Null: it is no change of an appointment. */
export function changeIn(subjectId: string): { appointmentId: string; changes: number } | null {
  const [, appointmentId, changes] = CHANGE.exec(subjectId) ?? [];
  return appointmentId === undefined ? null : { appointmentId, changes: Number(changes) };
}

/** Each time that it is shut is one thing. */
export const calendarSubject = (calendarId: string, nowMs: number): string => `${calendarId}#${nowMs}`;

/** Null: it is no calendar. */
export const calendarIn = (subjectId: string): string | null => SHUT.exec(subjectId)?.[1] ?? null;

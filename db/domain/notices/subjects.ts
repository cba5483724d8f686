// Subjects of notices that are about no call: a change of an appointment, a calendar that was shut, or an alert.

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

const ALERT = /^(alf_\w{1,40})#(fires|over)$/;

/** An alert fires, or is over: each is told once. */
export const alertSubject = (firingId: string, isOver: boolean): string => `${firingId}#${isOver ? 'over' : 'fires'}`;

/** Null: it is no alert. */
export function alertIn(subjectId: string): { firingId: string; isOver: boolean } | null {
  const [, firingId, state] = ALERT.exec(subjectId) ?? [];
  return firingId === undefined ? null : { firingId, isOver: state === 'over' };
}

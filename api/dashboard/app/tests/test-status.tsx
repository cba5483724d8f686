// Words and colours for what came of a run or a case.
import type { TestResult, TestRun } from '../api-types.ts';
import { Badge, type Tone } from '../ui/layout.tsx';

type Status = TestRun['status'] | TestResult['status'];

const WORDS: Record<Status, string> = {
  QUEUED: 'Waiting',
  RUNNING: 'Running',
  PASSED: 'Passed',
  FAILED: 'Failed',
  ERROR: 'Could not be run',
  CANCELLED: 'Cancelled',
};

const TONES: Record<Status, Tone> = {
  QUEUED: 'neutral',
  RUNNING: 'live',
  PASSED: 'good',
  FAILED: 'bad',
  ERROR: 'warn',
  CANCELLED: 'neutral',
};

export const statusWord = (status: Status): string => WORDS[status];

export const TestStatus = ({ status }: { status: Status }) => <Badge tone={TONES[status]}>{WORDS[status]}</Badge>;

export const isOpen = ({ endedAt }: Pick<TestRun, 'endedAt'>): boolean => endedAt === null;

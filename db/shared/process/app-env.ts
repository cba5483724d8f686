// The environments of APP_ENV. A token belongs to one of them.

export const APP_ENVS = ['production', 'staging', 'development'] as const;
export type AppEnv = (typeof APP_ENVS)[number];

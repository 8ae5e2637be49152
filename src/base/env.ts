/** The environment variables the project reads, taken once at the door and passed on as a value. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const processEnvironment = (): Environment => process.env;

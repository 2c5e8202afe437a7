/** Which paths agents may not see at all. */
export type HiddenRule = (path: string, isFolder: boolean) => boolean;

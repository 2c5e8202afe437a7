/** Of numbers and lists. The texts of the command line are English, so its numbers are too. */
export const language = 'en';

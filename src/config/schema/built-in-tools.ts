// Tools that come with MassGen, and what stands for them here.

interface BuiltInTool {
  /** Functions that MassGen finds by their name alone. */
  readonly functions: readonly string[];
  /** Folder or file below its folder of tools. */
  readonly place: string;
  /** What to do instead; goes on after a colon. */
  readonly sentence: string;
}

const notYet = (what: string): string => `not available yet: ${what}.`;

const media = '_multimodal_tools';

const tools: readonly BuiltInTool[] = [
  {
    functions: ['two_num_tool'],
    place: '_basic/_two_num_tool',
    sentence: notYet('an example that adds two numbers, which every agent can do with run_command'),
  },
  {
    functions: ['understand_image'],
    place: `${media}/understand_image`,
    sentence: 'agents look at images with read_image, which stands in for it.',
  },
  {
    functions: ['understand_audio'],
    place: `${media}/understand_audio`,
    sentence: notYet('listening to audio with a tool; upload_files gives a file to the model'),
  },
  {
    functions: ['understand_video'],
    place: `${media}/understand_video`,
    sentence: notYet('looking at video with a tool; upload_files gives a file to the model'),
  },
  {
    functions: ['understand_file'],
    place: `${media}/understand_file`,
    sentence: 'agents read files with read_file, which stands in for it.',
  },
  ...[
    ['text_to_image_generation', 'making images'],
    ['image_to_image_generation', 'changing images'],
    ['text_to_video_generation', 'making video'],
    ['text_to_speech_transcription_generation', 'making speech'],
    ['text_to_speech_continue_generation', 'making speech'],
    ['text_to_file_generation', 'making documents; agents write text files with write_file'],
  ].map(([name = '', what = '']) => ({
    functions: [name],
    place: `${media}/${name}`,
    sentence: notYet(what),
  })),
  {
    functions: [
      ...['crawl4ai_md', 'crawl4ai_html', 'crawl4ai_screenshot', 'crawl4ai_pdf'],
      ...['crawl4ai_execute_js', 'crawl4ai_crawl'],
    ],
    place: '_web_tools/crawl4ai_tool',
    sentence: 'agents read pages of the web with fetch_url, which stands in for it.',
  },
  {
    functions: ['browser_automation'],
    place: '_browser_automation',
    sentence: notYet('driving a browser; a server of tools such as Playwright’s can do it'),
  },
  {
    functions: ['computer_use'],
    place: '_computer_use',
    sentence: notYet('driving a desktop'),
  },
  {
    functions: ['gemini_computer_use'],
    place: '_gemini_computer_use',
    sentence: notYet('driving a desktop'),
  },
  {
    functions: ['claude_computer_use'],
    place: '_claude_computer_use',
    sentence: notYet('driving a desktop'),
  },
  {
    functions: ['ui_tars_computer_use'],
    place: '_ui_tars_computer_use',
    sentence: notYet('driving a desktop'),
  },
  {
    functions: [
      ...['ag2_lesson_planner', 'openai_assistant_lesson_planner', 'langgraph_lesson_planner'],
      ...['smolagent_lesson_planner', 'agentscope_lesson_planner'],
    ],
    place: '_extraframework_agents',
    sentence: notYet('teams of other frameworks as a tool'),
  },
  { functions: [], place: '_basic', sentence: notYet('this example') },
  { functions: [], place: media, sentence: notYet('this tool for media') },
  { functions: [], place: '_web_tools', sentence: 'agents read pages of the web with fetch_url.' },
  { functions: [], place: '_file_handlers', sentence: 'agents have tools for files already.' },
  { functions: [], place: '_workflow_toolkits', sentence: 'agents answer and vote already.' },
  { functions: [], place: '', sentence: notYet('this tool') },
];

/** In the order in which they are to be tried: a more general one comes later. */
export const builtInTools: readonly {
  readonly sentence: string;
  /** By its file in MassGen's own folder of tools; without a file by name. */
  matches(name: string, path: string | undefined): boolean;
}[] = tools.map(({ functions, place, sentence }) => ({
  sentence,
  matches: (name, path) => {
    if (path === undefined) {
      return functions.includes(name);
    }
    const own = /^(?:.*\/)?massgen\/tool\/(.*)$/.exec(path.replaceAll('\\', '/'))?.[1];
    return own?.startsWith(place) === true;
  },
}));

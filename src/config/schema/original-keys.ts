// Names of MassGen that are known without being keys or types here.

/** A file with any of these is of MassGen's first format, which MassGen itself refuses too. */
export const firstFormatKeys: readonly string[] = [
  ...['models', 'model_configs', 'num_agents', 'max_rounds'],
  ...['consensus_threshold', 'voting_enabled', 'enable_voting'],
];

/** Variables that are proposed where a key is to be named. */
export const usualKeyNames: readonly string[] = [
  ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'XAI_API_KEY'],
  ...['AZURE_OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'CEREBRAS_API_KEY', 'TOGETHER_API_KEY'],
  ...['FIREWORKS_API_KEY', 'GROQ_API_KEY', 'MOONSHOT_API_KEY', 'NEBIUS_API_KEY', 'POE_API_KEY'],
  ...[
    'QWEN_API_KEY',
    'ZAI_API_KEY',
    'NVIDIA_API_KEY',
    'NGC_API_KEY',
    'DEEPSEEK_API_KEY',
    'MISTRAL_API_KEY',
  ],
];

/** Types of MassGen that are not here, so that a message can tell them from a typing error. */
export const otherOriginalTypes: readonly string[] = [...['copilot', 'antigravity_cli', 'uitars']];

/** Types that will not come as they are, each with what to use instead. */
export const refusedTypes: Readonly<Record<string, string>> = {
  ag2: frameworkRefusal('ag2'),
  autogen: frameworkRefusal('autogen'),
  gemini_cli:
    'gemini_cli is no type of its own here; write type: acp with command: [gemini, --acp].',
  // Only the editor brings this type along.
  vscode_lm:
    'vscode_lm is a model of the editor: only VS Code can run a team with it. Run it there, or take this agent out.',
};

function frameworkRefusal(type: string): string {
  return `${type} is a framework inside of MassGen itself and is not available here; name its models as agents of their own, or reach a program that speaks the Agent Client Protocol through type acp.`;
}

export default { mode: 'production', entry: './user.js', output: { path: `${import.meta.dirname}/output`, filename: 'user.js' } };

-- Edits a spec with the language server, as a person would, and prints what came of it as JSON.
-- Arguments: the folder of the spec, and the configuration of the page about editors.
local folder, configuration = vim.env.TELEX_SPEC, vim.env.TELEX_CONFIGURATION

-- Neovim 0.7 has the older names alone.
if not vim.lsp.start then
  vim.lsp.start = function(options)
    if not _G.telex_client then _G.telex_client = vim.lsp.start_client(options) end
    vim.lsp.buf_attach_client(0, _G.telex_client)
  end
end

local function wait_for(what, condition)
  if not vim.wait(60000, condition, 20) then
    io.stderr:write("no " .. what .. "\n")
    vim.cmd("cquit 3")
  end
end

local function place(text)
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  for number, line in ipairs(lines) do
    local column = string.find(line, text, 1, true)
    if column then return number, column - 1 end
  end
end

local function ask(method, extra)
  local parameters = vim.lsp.util.make_position_params(0, "utf-16")
  for key, value in pairs(extra or {}) do parameters[key] = value end
  local replies = vim.lsp.buf_request_sync(0, method, parameters, 60000)
  for _, reply in pairs(replies or {}) do return reply.result, reply.error end
end

local function messages()
  local list = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do table.insert(list, one.code .. " " .. one.lnum + 1) end
  return list
end

dofile(configuration)
vim.cmd("filetype on")
vim.cmd("edit " .. folder .. "/users.yaml")
vim.bo.filetype = "yaml"
wait_for("client", function() return #vim.lsp.get_active_clients() > 0 end)
wait_for("session", function() return vim.lsp.get_active_clients()[1].initialized end)
local result = { encoding = vim.lsp.get_active_clients()[1].offset_encoding }

-- A mistake appears while it is typed.
local line, column = place("returns: [UserProfile]")
vim.api.nvim_buf_set_text(0, line - 1, column, line - 1, column + 7, { "retuns" })
wait_for("mistake", function() return #vim.diagnostic.get(0) > 0 end)
result.mistakes = messages()

-- The quick fix of the line removes it.
local mistake = vim.diagnostic.get(0)[1]
local actions = ask("textDocument/codeAction", {
  range = { start = { line = line - 1, character = 0 }, ["end"] = { line = line - 1, character = 0 } },
  context = { diagnostics = { mistake.user_data.lsp and vim.tbl_extend("keep", {
    range = {
      start = { line = mistake.lnum, character = mistake.col },
      ["end"] = { line = mistake.end_lnum, character = mistake.end_col },
    }, message = mistake.message }, mistake.user_data.lsp) } },
})
result.fix = actions[1].title
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
wait_for("end of the mistake", function() return #vim.diagnostic.get(0) == 0 end)
result.fixed = vim.api.nvim_buf_get_lines(0, line - 1, line, false)[1]

-- Completion at a key that has begun.
vim.api.nvim_buf_set_lines(0, line, line, false, { "    pri" })
vim.api.nvim_win_set_cursor(0, { line + 1, 7 })
result.completion = {}
for _, item in ipairs(ask("textDocument/completion")) do
  if vim.startswith(item.label, "pri") then table.insert(result.completion, item.textEdit.newText) end
end
vim.api.nvim_buf_set_lines(0, line, line + 1, false, {})

-- Hover, definition, and a rename over the files.
vim.api.nvim_win_set_cursor(0, { line, 18 })
result.hover = vim.split(ask("textDocument/hover").contents.value, "\n")[2]
result.definition = ask("textDocument/definition")[1].range.start.line + 1
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", { newName = "Person" }), "utf-16")
result.renamed = vim.api.nvim_buf_get_lines(0, line - 1, line, false)[1]
vim.cmd("silent wall")
wait_for("check", function() return #vim.diagnostic.get(0) == 0 end)
result.symbols = #ask("textDocument/documentSymbol")
result.lens = ask("textDocument/codeLens")[1].command.title
vim.lsp.stop_client(vim.lsp.get_active_clients())
io.stdout:write(vim.json and vim.json.encode(result) or vim.fn.json_encode(result))
vim.cmd("qall!")

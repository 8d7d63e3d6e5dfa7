-- MDP assembly in Neovim (0.7 and later): starts mdpas as the language server of buffers
-- of the type mdp. In init.lua: dofile("/usr/share/jm/neovim.lua"); mdpas must be in PATH.
-- K shows what a name is, gd goes to its definition, gr lists its uses, F2 renames it,
-- F3 puts the lines into columns, F4 offers corrections; Ctrl-X Ctrl-O completes.
local client

local function format()
    if vim.lsp.buf.format then
        vim.lsp.buf.format()
    else
        vim.lsp.buf.formatting_sync(nil, 5000)
    end
end

local function attached(_, buffer)
    local keys = {K = vim.lsp.buf.hover, gd = vim.lsp.buf.definition, gr = vim.lsp.buf.references,
        ["<F2>"] = vim.lsp.buf.rename, ["<F3>"] = format, ["<F4>"] = vim.lsp.buf.code_action}
    for key, action in pairs(keys) do
        vim.keymap.set("n", key, action, {buffer = buffer})
    end
    vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
end

vim.api.nvim_create_autocmd("FileType", {pattern = "mdp", callback = function(event)
    if not client or vim.lsp.client_is_stopped(client) then
        client = vim.lsp.start_client({name = "mdpas", cmd = {"mdpas", "--lsp"},
            root_dir = vim.fn.getcwd(), on_attach = attached})
    end
    vim.lsp.buf_attach_client(event.buf, client)
end})
